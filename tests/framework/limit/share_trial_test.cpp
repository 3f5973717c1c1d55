#include "limit/share_trial.hpp"

#include <cmath>
#include <cstddef>
#include <optional>

#include <gtest/gtest.h>

#include "framework/limit/simulated_search.hpp"

namespace inferbench::limit {
namespace {

share_trial trial_of(double allowed, double correlation = 0.8) {
  part what;
  what.goal = "ttft.p99<200ms";
  what.allowed = allowed;
  return {what,
          0,
          {.ln_pass = std::log(1'200), .ln_fail = std::log(1'200), .correlation = correlation}};
}

/// The number of requests up to the verdict of a warm trial whose requests all count.
template <typename source>
std::optional<int> requests_to(share_trial& trial, verdict wanted, int most, source&& is_over) {
  trial.end_warm_up();
  trial.set_step(1);
  for (int i = 0; i < most; ++i) {
    trial.add(is_over(i), true);
    if (trial.outcome() != verdict::undecided)
      return trial.outcome() == wanted ? std::optional(i + 1) : std::nullopt;
  }
  return std::nullopt;
}

TEST(a_share, that_no_request_exceeds_passes_after_the_needed_number) {
  share_trial cautious = trial_of(0.01);
  const auto never = [](int) { return false; };
  const int needed = requests_to(cautious, verdict::passed, 10'000, never).value();
  EXPECT_GE(needed, 3'541);  // chain_evidence_test: the least that any test needs
  EXPECT_LE(needed, 4'700);
  // Without an assumption about dependence the counted requests decide.
  share_trial independent = trial_of(0.01, 0);
  const int fewer = requests_to(independent, verdict::passed, 10'000, never).value();
  EXPECT_GE(fewer, 922);
  EXPECT_LE(fewer, 960);
}

TEST(a_share, that_all_requests_exceed_fails_after_a_few_dozen) {
  share_trial trial = trial_of(0.01);
  const auto always = [](int) { return true; };
  EXPECT_LE(requests_to(trial, verdict::failed, 1'000, always).value(), 60);
}

// A queue that grows: fast requests first, and slow requests from some request on.
TEST(a_trend, fails_although_it_looks_like_dependence) {
  for (const int good : {200, 1'000, 3'000}) {
    share_trial trial = trial_of(0.01);
    const auto slow = [&](int i) { return i >= good; };
    const std::optional<int> needed = requests_to(trial, verdict::failed, 10'000, slow);
    ASSERT_TRUE(needed) << good;
    EXPECT_GT(*needed, good);
    EXPECT_LE(*needed, 3 * good + 400) << good;
    // Its verdict does not rest on as many observations as there are requests.
    const part_evidence found = trial.evidence();
    EXPECT_GE(found.independent, 1U) << good;
    EXPECT_LE(found.independent, static_cast<std::size_t>(*needed) / 20) << good;
    EXPECT_LE(found.over, found.independent) << good;
    EXPECT_LE(found.would_fail.value(), found.share()) << good;
  }
}

// 150 slow requests in a row in the middle of 2,000 good requests: a stall.
TEST(a_stall, is_no_failure_at_p90) {
  share_trial trial = trial_of(0.1, 0);
  trial.end_warm_up();
  trial.set_step(30);
  for (int i = 0; i < 2'000; ++i)
    trial.add(i >= 300 && i < 450, i % 30 == 0);
  EXPECT_NE(trial.outcome(), verdict::failed);
  EXPECT_TRUE(trial.depends_more());
}

TEST(a_series, depends_more_only_beyond_the_error_of_its_correlation_time) {
  random_numbers random(3);
  share_trial independent = trial_of(0.1);
  independent.end_warm_up();
  independent.set_step(1);
  over_chain alone(0.1, 0, random);
  for (int i = 0; i < 3'000; ++i)
    independent.add(alone.next(), true);
  EXPECT_FALSE(independent.depends_more());

  share_trial dependent = trial_of(0.1);
  dependent.end_warm_up();
  dependent.set_step(2);
  over_chain together(0.1, 0.8, random);
  for (int i = 0; i < 3'000; ++i)
    dependent.add(together.next(), true);
  EXPECT_TRUE(dependent.depends_more());
}

TEST(the_warm_up, ends_at_twenty_over_the_limit_or_where_five_are_allowed) {
  share_trial many = trial_of(0.01);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(many.is_warm());
    many.add_warm_up(true);
  }
  EXPECT_TRUE(many.is_warm());
  share_trial few = trial_of(0.01);
  for (int i = 0; i < 500; ++i) {
    EXPECT_FALSE(few.is_warm());
    few.add_warm_up(false);
  }
  EXPECT_TRUE(few.is_warm());
}

TEST(the_warm_up, shows_its_dependence) {
  share_trial trial = trial_of(0.1);
  random_numbers random(11);
  over_chain series(0.1, 0.8, random);
  for (int i = 0; i < 20'000; ++i)
    trial.add_warm_up(series.next());
  trial.end_warm_up();
  EXPECT_NEAR(trial.warm_up_correlation(), 9, 2);  // (1 + 0.8) / (1 - 0.8)
}

TEST(the_evidence_of_a_share, counts_independent_and_all_requests) {
  share_trial trial = trial_of(0.1);
  trial.end_warm_up();
  trial.set_step(4);
  for (int i = 0; i < 100; ++i)
    trial.add(i % 10 == 0, i % 4 == 0);
  const part_evidence found = trial.evidence();
  EXPECT_EQ(found.independent, 25U);
  EXPECT_EQ(found.over, 5U);  // 0, 20, 40, 60, 80
  EXPECT_EQ(found.raw_over, 10U);
  EXPECT_EQ(found.share(), 0.2);
  EXPECT_EQ(found.outcome, verdict::undecided);
  EXPECT_FALSE(found.would_pass);
  EXPECT_GT(found.would_fail.value(), 0.2);
  EXPECT_GT(found.more_needed.value(), 0);
}

}  // namespace
}  // namespace inferbench::limit
