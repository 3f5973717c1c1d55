#include "metrics/running.hpp"

#include <gtest/gtest.h>

#include "framework/metrics/record_of.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/context.hpp"

namespace inferbench::metrics {
namespace {

using testing_::success;

client::record running_answer(std::uint64_t i) {
  const auto start = static_cast<double>(i);
  return success({.sequence = i,
                  .due = start,
                  .start = start,
                  .tokens = {start + start + 1, start + 200},
                  .prompt = 10,
                  .output = 2});
}

report live_figures_of(std::uint64_t requests, bool live) {
  context run;
  run.live = live;
  accumulator all(run);
  for (std::uint64_t i = 0; i < requests; ++i)
    all.add(running_answer(i));
  return all.snapshot(1);
}

TEST(running, live_figures_have_percentiles_of_the_requests_so_far) {
  const report now = live_figures_of(100, true);
  const ifb_metric* first = now.find("ttft");
  ASSERT_NE(first, nullptr);
  EXPECT_NE(first->flags & IFB_METRIC_SUMMARY, 0U);
  EXPECT_EQ(first->count, 100U);
  EXPECT_DOUBLE_EQ(first->value, 50.5);
  ASSERT_EQ(first->quantile_count, 3U);
  EXPECT_DOUBLE_EQ(first->quantiles[0].q, 0.5);
  EXPECT_NEAR(first->quantiles[0].value, 50.5, 50.5 * bounded_series::error());
  EXPECT_NEAR(first->quantiles[2].value, 99.01, 99.01 * bounded_series::error());
  EXPECT_NE(now.find("tpot"), nullptr);
  EXPECT_NE(now.find("e2el"), nullptr);
}

TEST(running, figures_of_single_tokens_and_of_other_starting_points_are_left_out) {
  const report now = live_figures_of(10, true);
  EXPECT_EQ(now.find("itl"), nullptr);
  EXPECT_EQ(now.find("ttft_text"), nullptr);
}

TEST(running, a_figure_without_values_is_left_out) {
  EXPECT_EQ(live_figures_of(0, true).find("ttft"), nullptr);
}

TEST(running, without_a_live_view_there_is_only_the_mean_of_the_first_token) {
  const report now = live_figures_of(10, false);
  EXPECT_EQ(now.find("ttft")->flags & IFB_METRIC_SUMMARY, 0U);
  EXPECT_EQ(now.find("tpot"), nullptr);
}

TEST(running, the_memory_does_not_grow_with_the_requests) {
  context run;
  running few(run, table());
  running many(run, table());
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const request_times one = times_of(running_answer(i % 100), {});
    if (i < 100) few.add(one);
    many.add(one);
  }
  EXPECT_EQ(few.bytes(), many.bytes());
  EXPECT_LT(many.bytes(), 2'000'000U);
}

}  // namespace
}  // namespace inferbench::metrics
