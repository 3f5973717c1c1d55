// The scorer `tool-call`: whether an answer calls tools that exist, with arguments that they
// accept. docs/scorers.md has the rules.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/abi.h>
#include <inferbench/draft/scorer.hpp>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>

#include "call_list.hpp"
#include "scorers/common/one_warning.hpp"
#include "scorers/common/text_cache.hpp"
#include "tool_set.hpp"

namespace scorers {

/// One thread at a time, like every scorer. Keeps the tools of the last requests.
class tool_call_scorer {
 public:
  static constexpr const char* id = "tool-call";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Whether answers call tools that exist, with arguments that they accept.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    bool expected = true;

    static constexpr auto schema() {
      return std::tuple{ifb::option{"expected", &options::expected,
                                    "Compare with the calls that the data set expects; without it, "
                                    "only tools and schemas count.",
                                    "true"}};
    }
  };

  explicit tool_call_scorer(ifb::host host, const options& chosen)
      : chosen_(chosen), warning_(host) {}

  [[nodiscard]] ifb::draft::score_result score(const ifb_record& of);

 private:
  [[nodiscard]] ifb::draft::score_result check(const call& made, const tool_set& tools);
  [[nodiscard]] ifb::draft::score_result unscored(const std::string& why);

  options chosen_;
  one_warning warning_;
  text_cache<tool_set> tools_;
};

}  // namespace scorers
