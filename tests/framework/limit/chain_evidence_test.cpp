#include "limit/chain_evidence.hpp"

#include <cmath>
#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

namespace inferbench::limit {
namespace {

constexpr int length = 11;
using evidence_of = std::function<double(const chain_counts&)>;

/// The mean of E over all series of `length` requests of a chain with this share and correlation,
/// after a request that was (not) over.
double mean_of(const evidence_of& ln_evidence, double share, double rho, bool before) {
  const double a = (1 - rho) * share;
  const double b = rho + a;
  double sum = 0;
  for (std::uint32_t series = 0; series < 1U << length; ++series) {
    chain_counts counts(before);
    double chance = 1;
    bool last = before;
    for (int i = 0; i < length; ++i) {
      const bool over = (series >> i & 1U) != 0;
      const double next = last ? b : a;
      chance *= over ? next : 1 - next;
      counts.add(over);
      last = over;
    }
    sum += chance * std::exp(ln_evidence(counts));
  }
  return sum;
}

// This is what Ville's inequality needs, and it is exact: no simulation.
TEST(chain_evidence, has_a_mean_of_at_most_one_if_the_share_is_as_large_as_allowed) {
  const auto less = [](const chain_counts& c) { return ln_chain_less(c, 0.3, 0.8); };
  for (const double share : {0.3, 0.4, 0.8})
    for (const double rho : {0.0, 0.3, 0.8})
      for (const bool before : {false, true})
        EXPECT_LE(mean_of(less, share, rho, before), 1 + 1e-9) << share << ' ' << rho;
}

TEST(chain_evidence, has_a_mean_of_at_most_one_against_a_goal_that_is_met) {
  const auto more = [](const chain_counts& c) { return ln_chain_more(c, 0.3, 0.8); };
  for (const double share : {0.05, 0.2, 0.3})
    for (const double rho : {0.0, 0.3, 0.8})
      for (const bool before : {false, true})
        EXPECT_LE(mean_of(more, share, rho, before), 1 + 1e-9) << share << ' ' << rho;
}

TEST(chain_evidence, grows_above_one_where_the_opposite_is_true) {
  const auto less = [](const chain_counts& c) { return ln_chain_less(c, 0.5, 0.2); };
  EXPECT_GT(mean_of(less, 0.01, 0, false), 2);
  const auto more = [](const chain_counts& c) { return ln_chain_more(c, 0.1, 0.2); };
  EXPECT_GT(mean_of(more, 0.9, 0, false), 2);
}

/// The evidence of `count` requests without a request over the limit.
double quiet(int count, double assumed) {
  chain_counts counts;
  for (int i = 0; i < count; ++i)
    counts.add(false);
  return ln_chain_less(counts, 0.01, assumed);
}

// A chain with a share of 1 % and a correlation of 0.8 has no request over the limit in n requests
// with the chance 0.998^n. No test can pass before 0.998^n = 0.01 / 12, which is n = 3,541.
TEST(chain_evidence, costs_little_more_than_the_least_that_any_test_needs) {
  EXPECT_LT(quiet(3'540, 0.8), std::log(1'200));
  EXPECT_GT(quiet(4'700, 0.8), std::log(1'200));
  EXPECT_GT(quiet(1'100, 0), std::log(1'200));
}

// A run of slow requests that is longer than the assumption explains is no evidence for few slow
// requests.
TEST(chain_evidence, does_not_pass_because_of_a_long_run) {
  chain_counts counts;
  for (int i = 0; i < 200; ++i)
    counts.add(false);
  for (int i = 0; i < 150; ++i)
    counts.add(true);
  EXPECT_LT(ln_chain_less(counts, 0.1, 0.8), 0);
  EXPECT_GT(ln_chain_more(counts, 0.1, 0.8), std::log(1'200));
}

TEST(chain_evidence, is_finite_for_series_of_one_kind_and_for_no_series) {
  for (const bool over : {false, true}) {
    chain_counts counts(over);
    for (int i = 0; i < 1'000; ++i) {
      EXPECT_TRUE(std::isfinite(ln_chain_less(counts, 0.01, 0.8)));
      EXPECT_TRUE(std::isfinite(ln_chain_more(counts, 0.01, 0.8)));
      EXPECT_TRUE(std::isfinite(ln_chain_less(counts, 0.99, 0)));
      counts.add(over);
    }
  }
}

TEST(chain_counts, count_each_request_after_the_one_before) {
  chain_counts counts(true);
  for (const bool over : {true, false, false, true, true, false, true})
    counts.add(over);
  EXPECT_EQ(counts.over_over(), 2);
  EXPECT_EQ(counts.over_under(), 2);
  EXPECT_EQ(counts.under_under(), 1);
  EXPECT_EQ(counts.under_over(), 2);
  EXPECT_EQ(counts.runs(), 2U);
}

}  // namespace
}  // namespace inferbench::limit
