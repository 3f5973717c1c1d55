#include "limit/batch_trial.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "confidence/binomial.hpp"

namespace inferbench::limit {
namespace {

part mean_below(double limit) {
  part out;
  out.goal = "ttft.mean<2ms";
  out.kind = part_kind::mean;
  out.passes = side::below;
  out.limit = limit;
  return out;
}

part rate_above(double limit) {
  part out;
  out.goal = "output_throughput>=500";
  out.kind = part_kind::rate;
  out.passes = side::above;
  out.limit = limit;
  return out;
}

/// 64 requests in 8 batches of 8 (planned(64)); the values of a batch are its number.
batch_trial steps(part what) {
  batch_trial out(std::move(what), 0, 0.01);
  out.plan(64);
  for (int i = 0; i < 64; ++i)
    out.add({.value = static_cast<double>(i / 8)});
  return out;
}

TEST(a_mean, has_the_interval_of_its_batches) {
  const part_evidence found = steps(mean_below(100)).evidence();
  EXPECT_EQ(found.batches, 8U);
  EXPECT_DOUBLE_EQ(found.estimate.value(), 3.5);
  // The variance of 0..7 is 6.
  EXPECT_NEAR(found.half_width.value(), confidence::student(0.99, 7) * std::sqrt(6.0 / 8), 1e-12);
  EXPECT_EQ(found.outcome, verdict::passed);
}

TEST(a_mean, fails_above_its_limit_and_is_undecided_within_the_interval) {
  EXPECT_EQ(steps(mean_below(0.5)).outcome(), verdict::failed);
  EXPECT_EQ(steps(mean_below(4)).outcome(), verdict::undecided);
  EXPECT_EQ(steps(mean_below(3)).outcome(), verdict::undecided);
}

TEST(a_mean, leaves_failed_requests_out_and_needs_a_value_in_each_batch) {
  batch_trial some(mean_below(3), 0, 0.01);
  some.plan(64);
  for (int i = 0; i < 64; ++i)
    some.add({.value = i % 8 == 0 ? std::nan("") : 2});
  EXPECT_EQ(some.evidence().estimate, 2);
  EXPECT_EQ(some.outcome(), verdict::passed);

  batch_trial none(mean_below(3), 0, 0.01);
  none.plan(64);
  for (int i = 0; i < 64; ++i)
    none.add({.value = i < 8 ? std::nan("") : 2});
  EXPECT_FALSE(none.evidence().estimate);
  EXPECT_EQ(none.outcome(), verdict::undecided);
}

TEST(an_estimate, ends_with_its_plan) {
  batch_trial trial(mean_below(3), 0, 0.01);
  trial.plan(1'000);
  EXPECT_EQ(trial.evidence().batches, 32U);
  int count = 0;
  for (; !trial.complete(); ++count)
    trial.add({.value = 1});
  EXPECT_EQ(count, 32 * 31);
  trial.add({.value = 1'000'000});
  EXPECT_EQ(trial.evidence().estimate, 1);
}

/// Requests that start every half second and take `time_s` each, `warm_up` of them before the plan.
batch_trial served(part what, double time_s, int warm_up) {
  batch_trial out(std::move(what), 0, 0.01);
  const auto request = [&](int i) {
    return observation{
        .value = i % 2 == 0 ? 10 : 10.5, .start_s = 0.5 * i, .end_s = 0.5 * i + time_s};
  };
  for (int i = 0; i < warm_up; ++i)
    out.add_warm_up(request(i));
  out.plan(512);
  for (int i = 0; i < 512; ++i)
    out.add(request(warm_up + i));
  return out;
}

TEST(a_rate, does_not_depend_on_the_length_of_the_answers) {
  for (const double time_s : {0.1, 5.2, 60.1}) {
    const batch_trial trial = served(rate_above(15), time_s, 200);
    EXPECT_NEAR(trial.evidence().estimate.value(), 20.5, 0.1) << time_s;
    EXPECT_EQ(trial.outcome(), verdict::passed) << time_s;
  }
}

TEST(a_rate, fails_below_its_limit) {
  EXPECT_EQ(served(rate_above(25), 1, 100).outcome(), verdict::failed);
}

TEST(a_rate, is_not_estimated_without_time) {
  batch_trial trial(rate_above(25), 0, 0.01);
  trial.plan(64);
  for (int i = 0; i < 64; ++i)
    trial.add({.value = 10, .start_s = 1, .end_s = 3});
  EXPECT_TRUE(trial.complete());
  EXPECT_FALSE(trial.evidence().estimate);
  EXPECT_EQ(trial.outcome(), verdict::undecided);
}

}  // namespace
}  // namespace inferbench::limit
