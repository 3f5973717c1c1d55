// Tests the tables of the reporter `multi-turn`, which look like those of pandas.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reporters/multi-turn/description_table.hpp"

namespace {

using multi_turn::describe;
using multi_turn::description_table;
using multi_turn::table_text;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(description_table, has_the_statistics_of_the_sample) {
  const description_table found = describe({{"x", {4, 1, 3, 2}}}, 4);
  EXPECT_THAT(found.columns,
              ElementsAre("count", "mean", "std", "min", "25%", "50%", "75%", "90%", "max"));
  ASSERT_EQ(found.rows.size(), 1U);
  const std::vector<double> expected{4, 2.5, std::sqrt(5.0 / 3), 1, 1.75, 2.5, 3.25, 3.7, 4};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found.rows[0][i], expected[i], 1e-12) << found.columns[i];
}

TEST(description_table, has_high_percentiles_only_of_many_requests) {
  EXPECT_EQ(describe({{"x", {1}}}, 99).columns.size(), 9U);
  EXPECT_EQ(describe({{"x", {1}}}, 100).columns.size(), 10U);
  EXPECT_EQ(describe({{"x", {1}}}, 1000).columns.size(), 11U);
  EXPECT_EQ(describe({{"x", {1}}}, 10000).columns.size(), 12U);
}

TEST(description_table, leaves_out_what_is_not_a_number) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const description_table found = describe({{"x", {none, 2}}, {"y", {none, none}}}, 2);
  EXPECT_EQ(found.rows[0][0], 1);
  EXPECT_EQ(found.rows[0][1], 2);
  EXPECT_TRUE(std::isnan(found.rows[0][2])) << "one value has no deviation";
  EXPECT_EQ(found.rows[1][0], 0);
  EXPECT_TRUE(std::isnan(found.rows[1][1]));
  EXPECT_THAT(table_text(found), HasSubstr("NaN"));
}

TEST(table_text, a_column_loses_the_zeros_that_all_its_values_end_with) {
  description_table of;
  of.columns = {"count", "mean", "max"};
  of.names = {"ttft_ms", "turns"};
  of.rows = {{166, 78.219, 567.5}, {166, 7.43, 17}};
  EXPECT_EQ(table_text(of),
            "         count   mean    max\n"
            "ttft_ms  166.0  78.22  567.5\n"
            "turns    166.0   7.43   17.0\n");
}

TEST(table_text, very_small_and_very_large_values_make_a_column_scientific) {
  description_table of;
  of.columns = {"small", "large", "million"};
  of.names = {"x", "y"};
  of.rows = {{0.005, 2e6, 1e6}, {1, 1, 1.25}};
  EXPECT_EQ(table_text(of),
            "      small     large     million\n"
            "x  5.00e-03  2.00e+06  1000000.00\n"
            "y  1.00e+00  1.00e+00        1.25\n");
}

}  // namespace
