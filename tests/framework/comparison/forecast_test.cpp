#include "comparison/forecast.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "comparison/design.hpp"
#include "support/golden.hpp"

namespace inferbench::comparison {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(a_forecast, is_the_power_of_the_design_with_the_corrected_level) {
  const std::array<double, 1> deviation{0.015};
  const std::vector<forecast_row> rows = forecast(8, 4, deviation);
  ASSERT_EQ(rows.size(), 1U);
  design plan;
  plan.deviation = 0.015;
  plan.count = 8;
  const decision at{0.05 / 4, std::log1p(0.02), 0.01};
  EXPECT_EQ(rows[0].found_80, found_with(plan, at, 0.8));
  EXPECT_EQ(rows[0].found_90, found_with(plan, at, 0.9));
}

TEST(a_forecast, finds_no_difference_inside_a_wide_margin) {
  comparison_settings settings;
  settings.same_within = 0.1;
  EXPECT_GT(forecast(12, 1, usual_deviations, settings)[0].found_80, 0.08);
  EXPECT_LT(forecast(12, 1, usual_deviations)[0].found_80, 0.02);
}

TEST(a_forecast, finds_less_with_more_tests_and_more_with_more_blocks) {
  EXPECT_GT(forecast(8, 4, usual_deviations)[0].found_80,
            forecast(8, 1, usual_deviations)[0].found_80);
  EXPECT_LT(forecast(12, 4, usual_deviations)[0].found_80,
            forecast(8, 4, usual_deviations)[0].found_80);
}

TEST(the_lines_of_a_forecast, are_a_table_of_the_usual_deviations) {
  std::string text;
  for (const std::string& line : forecast_lines(8, 4))
    text += line + "\n";
  text += forecast_line("P99 TTFT", 0.021, 3, 8, 4) + "\n";
  support::expect_golden(text, INFERBENCH_FIXTURES "/comparison/forecast.txt");
}

TEST(the_lines_of_a_forecast, say_that_one_block_tells_nothing) {
  EXPECT_THAT(forecast_lines(1, 4),
              ElementsAre("1 block can tell nothing: a comparison needs at least two."));
  EXPECT_THAT(forecast_line("P99 TTFT", 0.02, 0, 1, 4), HasSubstr("1 block can tell nothing"));
}

TEST(the_line_of_a_forecast, accepts_blocks_that_do_not_vary) {
  EXPECT_THAT(forecast_line("P99 TTFT", 0, 3, 8, 4), HasSubstr("is 0 %"));
}

}  // namespace
}  // namespace inferbench::comparison
