// Results of levels for the tests of the searches.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "sweep/level.hpp"

namespace inferbench::sweep {

/// The result of a run from its JSON text.
inline run_object run_of(const std::string& json) {
  auto out = std::make_shared<ifb::json_document>();
  EXPECT_FALSE(ifb::parse_json(json, *out)) << json;
  return out;
}

/// The runs of a level that a benchmark made.
inline level_runs made_of(const std::vector<std::string>& texts) {
  level_runs out{.made = true, .left_out = false, .runs = {}};
  for (const std::string& text : texts)
    out.runs.push_back(run_of(text));
  return out;
}

/// Collects what a search prints, and the levels that it runs.
struct printed_lines {
  std::string text;

  [[nodiscard]] tell_line tell() {
    return [this](const std::string& line) { text += line + "\n"; };
  }
  /// Adds a line for a level that is run, so that a golden shows the order.
  void ran(const std::string& level) { text += "    (runs " + level + ")\n"; }
  [[nodiscard]] std::size_t count(const std::string& line) const {
    std::size_t out = 0;
    for (const std::string_view each : base::split(text, '\n'))
      out += each == line ? 1U : 0U;
    return out;
  }
};

}  // namespace inferbench::sweep
