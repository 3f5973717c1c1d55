#include "plot/run_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

TEST(run_values, null_and_nan_are_missing) {
  const runs_of runs(R"([{"a": null, "b": "nan", "c": 0, "d": "x", "e": true}])");
  const run_row row = runs.rows()[0];
  EXPECT_EQ(value_of(row, "a"), nullptr);
  EXPECT_EQ(value_of(row, "b"), nullptr);
  EXPECT_EQ(value_of(row, "z"), nullptr);
  EXPECT_EQ(number_of(value_of(row, "c")), 0);
  EXPECT_EQ(number_of(value_of(row, "d")), std::nullopt);
  EXPECT_EQ(number_of(value_of(row, "e")), 1);
  EXPECT_EQ(text_of_value(value_of(row, "a")), "None");
  EXPECT_EQ(text_of_value(value_of(row, "e")), "True");
}

TEST(run_values, a_key_is_found_in_other_spellings) {
  const runs_of runs(R"([{"max-num": 1, "b_c": 2, "d": null}])");
  const run_row row = runs.rows()[0];
  EXPECT_EQ(value_of_any_spelling(row, "max_num")->GetInt(), 1);
  EXPECT_EQ(value_of_any_spelling(row, "b-c")->GetInt(), 2);
  EXPECT_TRUE(value_of_any_spelling(row, "d")->IsNull());
  EXPECT_EQ(value_of_any_spelling(row, "e"), nullptr);
  EXPECT_EQ(value_of(row, "max_num"), nullptr);
}

TEST(run_values, columns_are_in_the_order_of_their_first_appearance) {
  const runs_of runs(R"([{"b": 1, "a": 2}, {"c": 1, "b": 3}])");
  EXPECT_THAT(columns_of(runs.rows()), testing::ElementsAre("b", "a", "c"));
}

TEST(run_values, an_unknown_column_is_an_error_that_lists_the_columns) {
  try {
    require_column({"request_rate", "backend"}, "request-rate", "--var-x");
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(
        e.what(),
        "--var-x: no run has the column \"request-rate\"; did you mean request_rate? Available "
        "columns: request_rate, backend");
  }
}

TEST(run_values, a_run_with_no_completed_request_is_known_by_its_count) {
  const runs_of runs(R"([{"completed": 0}, {"completed": 1}, {}, {"completed": null}])");
  EXPECT_TRUE(without_completion(runs.rows()[0]));
  for (const std::size_t other : {1U, 2U, 3U})
    EXPECT_FALSE(without_completion(runs.rows()[other])) << other;
}

TEST(run_values, a_run_is_unstable_if_it_offers_over_5_percent_more_than_is_served) {
  const runs_of runs(R"([
    {"request_rate": 10, "request_throughput": 9.6},
    {"request_rate": 10, "request_throughput": 9.5},
    {"request_rate": "inf", "request_throughput": 9},
    {"request_rate": null, "request_throughput": 9},
    {"request_rate": 10}])");
  const std::vector<run_row> rows = runs.rows();
  EXPECT_FALSE(unstable(rows[0]));
  EXPECT_TRUE(unstable(rows[1]));
  EXPECT_FALSE(unstable(rows[2]));
  EXPECT_FALSE(unstable(rows[3]));
  EXPECT_FALSE(unstable(rows[4]));
}

}  // namespace
}  // namespace inferbench::plot
