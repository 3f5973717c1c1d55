// The scorer `structured-output`: whether an answer has the structure that the request asks for.
// docs/scorers.md has the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include <inferbench/abi.h>
#include <inferbench/draft/scorer.hpp>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>

#include "scorers/common/one_warning.hpp"
#include "scorers/common/pattern.hpp"
#include "scorers/common/schema.hpp"
#include "scorers/common/text_cache.hpp"

namespace scorers {

/// The list of texts of a request with structured.type "choice".
struct choice_list {
  bool usable = false;
  std::unordered_set<std::string> texts;
};

/// One thread at a time, like every scorer. Keeps the schemas, patterns and lists of choices of the
/// last requests.
class structured_output {
 public:
  static constexpr const char* id = "structured-output";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Whether answers have the structure that was asked for: JSON of a schema, a pattern, a "
      "choice.";
  static constexpr const char* license = "Apache-2.0";

  enum class rule : std::uint8_t { schema, upstream };

  struct options {
    rule correctness = rule::schema;

    static constexpr const char* rules[] = {"schema", "upstream"};
    static constexpr auto schema() {
      return std::tuple{ifb::option{
          "correctness", &options::correctness,
          "Rule for JSON: schema (the value has its schema and is the expected value) or "
          "upstream (the text parses after blanks are removed).",
          "\"schema\""}
                            .choices(rules)
                            .flag("correctness")};
    }
  };

  structured_output(ifb::host host, const options& chosen);

  [[nodiscard]] ifb::draft::score_result score(const ifb_record& of);

 private:
  [[nodiscard]] ifb::draft::score_result score_json(const ifb_record& of, std::string_view answer);
  [[nodiscard]] ifb::draft::score_result score_constrained(const ifb_record& of,
                                                           std::string_view answer);
  [[nodiscard]] ifb::draft::score_result score_regex(std::string_view text,
                                                     std::string_view answer);
  [[nodiscard]] ifb::draft::score_result score_choice(std::string_view text,
                                                      std::string_view answer);
  [[nodiscard]] ifb::draft::score_result unscored(const std::string& why);

  options chosen_;
  one_warning warning_;
  text_cache<scorers::schema> schemas_;
  text_cache<pattern> patterns_;
  text_cache<choice_list> choices_;
};

}  // namespace scorers
