#include "comparison/comparison.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/comparison/told_comparisons.hpp"

namespace inferbench::comparison {
namespace {

using testing::HasSubstr;

metric_result only(const comparison_input& input) {
  return compare(input).candidates.front().metrics.front();
}

std::string problem_of(const comparison_input& input) {
  try {
    (void)compare(input);
  } catch (const base::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(a_comparison, says_slower_for_a_higher_latency_and_faster_for_a_higher_throughput) {
  EXPECT_EQ(only(blocks_with(latency, around_4_percent)).outcome, verdict::slower);
  EXPECT_EQ(only(blocks_with(throughput, around_4_percent)).outcome, verdict::faster);
}

TEST(a_comparison, has_the_mean_of_the_logarithms_and_its_interval) {
  const metric_result found = only(blocks_with(latency, {1.02, 1.04, 1.06}));
  const double mean = (std::log(1.02) + std::log(1.04) + std::log(1.06)) / 3;
  EXPECT_NEAR(found.ratio.value_or(0), std::exp(mean), 1e-12);
  const double half = 4.302653 * found.deviation.value_or(0) / std::sqrt(3.0);
  EXPECT_NEAR(found.low.value_or(0), std::exp(mean - half), 1e-6);
  EXPECT_NEAR(found.high.value_or(0), std::exp(mean + half), 1e-6);
  EXPECT_NEAR(found.base_value.value_or(0), 100, 1e-9);
}

TEST(a_comparison, says_same_inside_the_margin_even_if_the_difference_is_significant) {
  const metric_result found = only(blocks_with(latency, around_1_percent));
  EXPECT_LT(found.p_holm.value_or(1), 0.001);
  EXPECT_EQ(found.outcome, verdict::same);
}

TEST(a_comparison, says_slower_for_the_same_runs_with_a_smaller_margin) {
  comparison_input input = blocks_with(latency, around_1_percent);
  input.settings.same_within = 0.005;
  EXPECT_EQ(only(input).outcome, verdict::slower);
}

TEST(a_comparison, has_the_same_margin_in_both_directions) {
  // 0.985 and 1 / 0.985 are at the same distance from 1.
  std::vector<double> lower, higher;
  for (const double each : around_1_percent) {
    lower.push_back(each * 0.975);
    higher.push_back(1 / (each * 0.975));
  }
  const metric_result a = only(blocks_with(latency, lower));
  const metric_result b = only(blocks_with(latency, higher));
  EXPECT_NEAR(a.p_same.value_or(-1), b.p_same.value_or(-2), 1e-12);
  EXPECT_NEAR(a.ratio.value_or(0) * b.ratio.value_or(0), 1, 1e-12);
}

TEST(a_comparison, cannot_tell_with_wide_blocks_and_says_how_many_would_tell) {
  const metric_result found = only(blocks_with(latency, wide));
  EXPECT_EQ(found.outcome, verdict::cannot_tell);
  ASSERT_TRUE(found.needed);
  EXPECT_GT(*found.needed, 8U);
  EXPECT_GT(found.found_80.value_or(0), 0.05);
  EXPECT_GT(found.found_90.value_or(0), found.found_80.value_or(1));
}

TEST(a_comparison, counts_every_declared_metric_of_every_candidate) {
  // The p-value of the first metric alone is between 0.0125 and 0.05.
  const std::vector<double> ratios{1.01, 1.09, 1.02, 1.08, 1.0, 1.1, 0.99, 1.06};
  comparison_input input = blocks_with(latency, ratios);
  const metric_result alone = only(input);
  ASSERT_LT(alone.p.value_or(1), 0.05);
  EXPECT_EQ(alone.outcome, verdict::slower);
  input.candidates.push_back(input.candidates.front());
  input.candidates.back().group.name = "other";
  const comparison_result two = compare(input);
  EXPECT_EQ(two.tests(), 2U);
  EXPECT_NEAR(two.candidates[0].metrics[0].p_holm.value_or(0), 2 * alone.p.value_or(0), 1e-12);
  EXPECT_GT(two.candidates[0].metrics[0].found_80.value_or(0), alone.found_80.value_or(1));
}

TEST(a_comparison, counts_a_metric_that_has_no_test) {
  comparison_input input = blocks_with(latency, around_4_percent);
  const double alone = only(input).p.value_or(0);
  input.metrics.push_back(throughput);
  for (compared_run& run : input.base.runs)
    run.values.push_back(0);
  for (compared_run& run : input.candidates.front().group.runs)
    run.values.push_back(5);
  const comparison_result found = compare(input);
  const candidate_result& of = found.candidates.front();
  EXPECT_NEAR(of.metrics[0].p_holm.value_or(0), 2 * alone, 1e-12);
  EXPECT_EQ(of.metrics[1].outcome, verdict::cannot_tell);
  EXPECT_THAT(of.metrics[1].untested, HasSubstr("base/run1.json has the value 0.0"));
  EXPECT_FALSE(of.metrics[1].ratio);
  EXPECT_EQ(of.outcome, conclusion::slower);
}

TEST(a_comparison, names_the_run_with_a_value_that_has_no_logarithm) {
  for (const double bad : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    comparison_input input = blocks_with(latency, around_4_percent);
    input.candidates.front().group.runs[3].values[0] = bad;
    const metric_result found = only(input);
    EXPECT_EQ(found.outcome, verdict::cannot_tell) << bad;
    EXPECT_THAT(found.untested, HasSubstr("new/run4.json has ")) << bad;
  }
}

TEST(a_comparison, is_not_moved_by_a_drift_that_is_linear_in_the_logarithm) {
  comparison_input input = blocks_with(latency, around_4_percent);
  const metric_result still = only(input);
  for (std::size_t block = 0; block < around_4_percent.size(); ++block) {
    const auto factor = [&](std::size_t place) {
      return std::exp(0.01 * static_cast<double>(4 * block + place));
    };
    input.base.runs[2 * block].values[0] *= factor(0);
    input.candidates.front().group.runs[2 * block].values[0] *= factor(1);
    input.candidates.front().group.runs[2 * block + 1].values[0] *= factor(2);
    input.base.runs[2 * block + 1].values[0] *= factor(3);
  }
  const metric_result drifting = only(input);
  EXPECT_NEAR(drifting.ratio.value_or(0), still.ratio.value_or(1), 1e-12);
  EXPECT_NEAR(drifting.deviation.value_or(0), still.deviation.value_or(1), 1e-12);
}

TEST(a_comparison, uses_only_the_runs_in_blocks) {
  comparison_input input = blocks_with(latency, around_4_percent);
  const metric_result before = only(input);
  input.base.runs.push_back({"base/extra.json", {1e9}});
  input.candidates.front().group.runs.push_back({"new/extra.json", {0}});
  const metric_result after = only(input);
  EXPECT_EQ(after.p, before.p);
  EXPECT_EQ(after.base_value, before.base_value);
}

TEST(a_comparison, without_blocks_pairs_nothing) {
  comparison_input input = blocks_with(latency, around_4_percent);
  input.candidates.front().blocks.clear();
  const comparison_result found = compare(input);
  const candidate_result& of = found.candidates.front();
  EXPECT_FALSE(of.paired());
  EXPECT_EQ(of.base_runs, 16U);
  EXPECT_FALSE(of.metrics.front().p_sign_flip);
  EXPECT_EQ(of.outcome, conclusion::slower);
}

TEST(a_comparison, of_single_runs_is_a_description) {
  comparison_input input;
  input.metrics = {latency};
  input.base = group_of("base", {{100}});
  input.candidates.push_back({group_of("new", {{110}}), {}});
  comparison_result found = compare(input);
  EXPECT_TRUE(found.candidates[0].descriptive());
  EXPECT_EQ(found.candidates[0].outcome, conclusion::cannot_tell);
  EXPECT_NEAR(found.candidates[0].metrics[0].ratio.value_or(0), 1.1, 1e-12);
  EXPECT_EQ(found.candidates[0].metrics[0].untested, "each group has one run only");
  input.candidates[0].group.runs.push_back({"new/run2.json", {112}});
  EXPECT_EQ(compare(input).candidates[0].metrics[0].untested, "base has one run only");
  EXPECT_FALSE(compare(input).candidates[0].metrics[0].p);
}

TEST(a_comparison, of_one_block_is_a_description) {
  const metric_result found = only(blocks_with(latency, {1.1}));
  EXPECT_EQ(found.untested, "there is only one block");
  EXPECT_NEAR(found.ratio.value_or(0), 1.1, 1e-12);
  EXPECT_FALSE(found.low);
}

TEST(a_comparison, of_values_that_do_not_vary_uses_their_order) {
  const metric_result equal = only(blocks_with(latency, std::vector(8, 1.0)));
  EXPECT_EQ(equal.outcome, verdict::same);
  EXPECT_FALSE(equal.found_80);
  EXPECT_EQ(only(blocks_with(latency, std::vector(8, 1.1))).outcome, verdict::slower);
  const metric_result few = only(blocks_with(latency, std::vector(3, 1.1)));
  EXPECT_EQ(few.outcome, verdict::cannot_tell);
  EXPECT_EQ(few.needed, 6U);  // 2 / 2^6 is below 5 %
}

/// Two metrics, a latency and a throughput, with these ratios in the blocks.
comparison_input two_metrics(const std::vector<double>& of_latency,
                             const std::vector<double>& of_throughput) {
  comparison_input out = blocks_with(latency, of_latency);
  add_metric(out, throughput, of_throughput);
  return out;
}

TEST(a_conclusion, follows_from_the_verdicts_on_all_metrics) {
  const auto of = [](const std::vector<double>& a, const std::vector<double>& b) {
    return compare(two_metrics(a, b)).candidates.front().outcome;
  };
  EXPECT_EQ(of(around_1_percent, around_1_percent), conclusion::same);
  EXPECT_EQ(of(around_1_percent, around_4_percent), conclusion::faster);
  EXPECT_EQ(of(around_4_percent, around_1_percent), conclusion::slower);
  EXPECT_EQ(of(around_4_percent, around_4_percent), conclusion::mixed);
  EXPECT_EQ(of(wide, around_1_percent), conclusion::cannot_tell);
  EXPECT_EQ(of(wide, around_4_percent), conclusion::faster);
}

TEST(the_gate, is_closed_by_a_slower_metric_even_if_another_is_faster) {
  EXPECT_EQ(gate_status(compare(two_metrics(around_4_percent, around_4_percent))), 5);
  EXPECT_EQ(gate_status(compare(two_metrics(around_4_percent, wide))), 5);
}

TEST(the_gate, is_closed_by_a_metric_that_cannot_be_told) {
  EXPECT_EQ(gate_status(compare(two_metrics(wide, around_4_percent))), 6);
  EXPECT_EQ(gate_status(compare(two_metrics(wide, around_1_percent))), 6);
  EXPECT_EQ(gate_status(compare(blocks_with(latency, {1.1}))), 6);
}

TEST(the_gate, is_open_if_all_metrics_are_told_and_none_is_slower) {
  EXPECT_EQ(gate_status(compare(two_metrics(around_1_percent, around_1_percent))), 0);
  EXPECT_EQ(gate_status(compare(two_metrics(around_1_percent, around_4_percent))), 0);
}

TEST(a_comparison, refuses_input_that_has_no_meaning) {
  const comparison_input good = blocks_with(latency, around_4_percent);
  comparison_input bad = good;
  bad.metrics.clear();
  EXPECT_THAT(problem_of(bad), HasSubstr("no metric is declared"));
  bad = good;
  bad.candidates.clear();
  EXPECT_THAT(problem_of(bad), HasSubstr("only the group base is there"));
  bad = good;
  bad.base.runs[1].values.clear();
  EXPECT_THAT(problem_of(bad), HasSubstr("base/run2.json has 0 values, but 1"));
  bad = good;
  bad.candidates.front().group.runs.clear();
  EXPECT_THAT(problem_of(bad), HasSubstr("the group new has no run"));
  bad = good;
  bad.candidates.front().blocks[1].other[0] = 99;
  EXPECT_THAT(problem_of(bad), HasSubstr("run 100 of the group new, which has 16 runs"));
  bad = good;
  bad.candidates.front().blocks[1].base[0] = 0;
  EXPECT_THAT(problem_of(bad), HasSubstr("base/run1.json is twice"));
  bad = good;
  bad.settings.same_within = 0;
  EXPECT_THAT(problem_of(bad), HasSubstr("not above 0 and at most 100 %"));
  bad.settings.same_within = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(problem_of(bad), HasSubstr("not above 0 and at most 100 %"));
  bad = good;
  bad.settings.same_error_rate = 0;
  EXPECT_THAT(problem_of(bad), HasSubstr("is not above 0 and below 0.5"));
}

TEST(a_comparison, survives_values_at_the_ends_of_the_range) {
  const metric_result found = only(blocks_with(latency, {1e300, 1e-300, 1e300, 1e-300}));
  EXPECT_EQ(found.outcome, verdict::cannot_tell);
  EXPECT_FALSE(found.needed);
}

}  // namespace
}  // namespace inferbench::comparison
