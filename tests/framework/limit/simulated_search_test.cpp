// Small versions of bench/limit_search.cpp with fixed seeds: whole searches over simulated servers.
#include "framework/limit/simulated_search.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sanitizer.hpp"

namespace inferbench::limit {
namespace {

constexpr double p99 = 0.01;
constexpr double p90 = 0.1;
// 0.97^22.8 is 0.5: at 97 % of the limit half of the allowed share is over.
constexpr double half_at_97_percent = 22.8;

TEST(a_whole_search, finds_the_limit_within_three_percent) {
  int within = 0;
  constexpr int seeds = 20;
  for (int seed = 0; seed < seeds; ++seed) {
    const double limit = 3 + 0.4 * seed;
    const simulated_search found = search_of(power_server(limit, half_at_97_percent, p99),
                                             {.lo = 1, .hi = 20}, {}, 100 + seed);
    ASSERT_LE(found.probes.size(), 12U);
    ASSERT_LE(found.most_counted, 10'000U);
    ASSERT_LE(found.result.limit.value_or(0), limit);
    ASSERT_GT(found.result.upper_end.value(), limit);
    within += found.result.limit.value_or(0) >= 0.97 * limit ? 1 : 0;
  }
  EXPECT_GE(within, seeds - 1);
}

TEST(a_whole_search, says_undecided_for_a_flat_server_and_its_interval_covers_the_limit) {
  for (int seed = 0; seed < 10; ++seed) {
    const simulated_search found =
        search_of(power_server(10, 1, p90), {.lo = 1, .hi = 100}, {.most_counted = 1'000}, seed);
    EXPECT_FALSE(found.result.undecided.empty());
    EXPECT_LT(found.result.limit.value(), 10);
    EXPECT_GT(found.result.upper_end.value(), 10);
  }
}

/// The searches with a limit above the true limit. Up to the limit few requests are over; above it
/// the allowed share and a little more are, which is the hardest case.
int too_high(double allowed, double rho, double assumed, int searches) {
  const simulated_server cliff{
      [=](double load) { return load <= 11 ? 0.2 * allowed : 1.0001 * allowed; }, allowed, rho};
  const auto counted = static_cast<std::size_t>(30 / allowed);
  const judge_settings settings{
      .assumed_correlation = assumed, .most_counted = counted, .most_requests = 10 * counted};
  int out = 0;
  for (int seed = 0; seed < searches; ++seed) {
    const simulated_search found = search_of(cliff, {.lo = 1, .hi = 100}, settings, 1 + seed);
    out += found.result.limit.value_or(0) > 11 ? 1 : 0;
  }
  return out;
}

TEST(a_whole_search, keeps_its_error_rate_for_independent_and_dependent_requests) {
  for (const double rho : {0.0, 0.3, 0.5, 0.8})
    EXPECT_LE(too_high(p90, rho, 0.8, support::reduced(60)), 1) << rho;
  EXPECT_EQ(too_high(p99, 0.8, 0.8, support::reduced(20)), 0);
}

/// The probes, of 300, that pass although a little more than the allowed share is over.
int wrong_passes(double assumed) {
  const simulated_server server{[](double) { return 1.0001 * p90; }, p90, 0.8};
  random_numbers random(21);
  int out = 0;
  for (int i = 0; i < 300; ++i) {
    const probe_evidence found = simulated_probe(
        server, 1, {.assumed_correlation = assumed, .most_counted = 400, .most_requests = 4'000},
        random);
    out += found.outcome == verdict::passed ? 1 : 0;
  }
  return out;
}

// The reason for the assumption: a quiet warm-up does not show the dependence.
TEST(a_probe_that_assumes_independence, loses_its_error_rate) {
  EXPECT_LE(wrong_passes(0.8), 1);
  EXPECT_GE(wrong_passes(0), 6);
}

TEST(a_whole_search, fails_no_load_below_the_true_limit) {
  int wrong = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const simulated_server cliff{[](double load) { return load <= 10 ? 0.999 * p90 : 3 * p90; },
                                 p90, 0.8};
    const simulated_search found =
        search_of(cliff, {.lo = 1, .hi = 100}, {.most_counted = 300, .most_requests = 6'000}, seed);
    wrong += found.result.upper_end.value_or(100) <= 10 ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0);
}

std::vector<double> floors_of(double share, double confidence) {
  std::vector<double> out;
  for (const double over : {0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
    out.push_back(early_stopping_floor(over, share, confidence));
  return out;
}

// The 35 cells of MLPerf's early stopping that bench/limit_search.cpp prints.
TEST(early_stopping, needs_the_published_numbers_of_values) {
  using testing::ElementsAre;
  EXPECT_THAT(floors_of(0.1, 0.99), ElementsAre(44, 64, 81, 127, 197, 325, 681));
  EXPECT_THAT(floors_of(0.05, 0.99), ElementsAre(90, 130, 165, 259, 398, 656, 1372));
  EXPECT_THAT(floors_of(0.01, 0.99), ElementsAre(459, 662, 838, 1307, 2010, 3304, 6898));
  EXPECT_THAT(floors_of(0.001, 0.99), ElementsAre(4603, 6636, 8403, 13105, 20140, 33097, 69058));
  EXPECT_THAT(floors_of(0.01, 0.95), ElementsAre(299, 473, 628, 1049, 1693, 2902, 6323));
}

}  // namespace
}  // namespace inferbench::limit
