#include "comparison/comparison_json.hpp"

#include <limits>
#include <regex>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "comparison/comparison.hpp"
#include "framework/comparison/told_comparisons.hpp"
#include "support/golden.hpp"

namespace inferbench::comparison {
namespace {

using testing::HasSubstr;

/// The text with five digits in each fraction: the last digits depend on the compiler.
std::string rounded(const std::string& json) {
  static const std::regex fraction(R"(\d+\.\d{5,}(e-\d+)?|\d\.\d+e-\d+)");
  std::string out;
  auto rest = json.cbegin();
  for (std::sregex_iterator at(json.begin(), json.end(), fraction), end; at != end; ++at) {
    out.append(rest, (*at)[0].first);
    out += fmt::format("{:.5g}", base::parse_float(at->str()).value_or(-1));
    rest = (*at)[0].second;
  }
  return out.append(rest, json.cend());
}

TEST(the_json_of_a_comparison, has_everything) {
  support::expect_golden(rounded(comparison_json(compare(all_verdicts()))) + "\n",
                         INFERBENCH_FIXTURES "/comparison/verdicts.json");
}

TEST(the_json_of_a_comparison, has_null_for_what_is_not_known) {
  comparison_input input = blocks_with(latency, {1.1});
  EXPECT_THAT(comparison_json(compare(input)),
              HasSubstr("\"untested\": \"there is only one block\", \"base\": 100"));
  EXPECT_THAT(comparison_json(compare(input)), HasSubstr("\"low\": null, \"high\": null"));
  input.base.runs[0].values[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(comparison_json(compare(input)), HasSubstr("\"base\": null, \"candidate\": null"));
}

}  // namespace
}  // namespace inferbench::comparison
