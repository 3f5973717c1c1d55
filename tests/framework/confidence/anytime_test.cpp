#include "confidence/anytime.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace inferbench::confidence {
namespace {

/// E_n by Simpson's rule over (from, to), for small n.
double ln_by_sum(double n, double over, double share, double from, double to) {
  constexpr int pieces = 20'000;
  double sum = 0;
  for (int i = 0; i <= pieces; ++i) {
    const double x = from + (to - from) * i / pieces;
    const double ratio = std::pow(x / share, over) * std::pow((1 - x) / (1 - share), n - over);
    sum += ratio * (i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return std::log(sum / (3.0 * pieces));
}

/// The number of values, none of which is over, at which the evidence reaches 1 / alpha.
std::uint64_t first_pass(double share, double alpha) {
  share_watch watch(share, std::log(1 / alpha), std::log(1 / alpha));
  while (watch.add(false) != share_watch::finding::less) {
  }
  return watch.count();
}

TEST(the_evidence, is_the_mean_of_the_likelihood_ratio) {
  for (const double n : {0.0, 10.0, 62.5}) {
    for (const double part : {0.0, 0.1, 0.4, 1.0}) {
      for (const double share : {0.01, 0.1, 0.5, 0.9}) {
        const double over = n * part;
        EXPECT_NEAR(ln_evidence_less(n, over, share), ln_by_sum(n, over, share, 0, share), 1e-6);
        EXPECT_NEAR(ln_evidence_more(n, over, share), ln_by_sum(n, over, share, share, 1), 1e-6);
      }
    }
  }
}

TEST(the_evidence, without_a_value_over_the_limit_has_a_closed_form) {
  for (const double n : {1.0, 1e3, 1e5, 1e7}) {
    const double q = 0.01;
    // (1 - (1-q)^(n+1)) / ((n+1) q (1-q)^n)
    const double expected = std::log(-std::expm1((n + 1) * std::log1p(-q))) -
                            std::log((n + 1) * q) - n * std::log1p(-q);
    EXPECT_NEAR(ln_evidence_less(n, 0, q), expected, 1e-6) << n;
  }
}

TEST(the_evidence, is_finite_for_ten_million_values_on_both_sides) {
  const double n = 1e7;
  for (const double over : {0.0, 1.0, 1e3, 99'900.0, 1e5, 100'100.0, 5e6, n - 1, n}) {
    EXPECT_TRUE(std::isfinite(ln_evidence_less(n, over, 0.01))) << over;
    EXPECT_TRUE(std::isfinite(ln_evidence_more(n, over, 0.01))) << over;
  }
  // All over: both have a closed form. (n ln 100 - ln(n+1)) for "more", up to the prior's 1 - q.
  EXPECT_NEAR(ln_evidence_more(n, n, 0.01), n * std::log(100) - std::log((n + 1) * 0.99), 1e-4);
  EXPECT_NEAR(ln_evidence_less(n, n, 0.01), -std::log(n + 1), 1e-9);
}

TEST(the_evidence, is_continuous_where_the_computation_changes) {
  // The fraction changes sides at over = share (n + 2) - 1.
  const double n = 100'000;
  const double edge = 0.01 * (n + 2) - 1;
  EXPECT_NEAR(ln_evidence_less(n, edge - 1e-6, 0.01), ln_evidence_less(n, edge + 1e-6, 0.01), 1e-6);
  EXPECT_NEAR(ln_evidence_more(n, edge - 1e-6, 0.01), ln_evidence_more(n, edge + 1e-6, 0.01), 1e-6);
}

TEST(the_evidence, has_steps_within_the_bounds_on_which_the_watch_relies) {
  for (const double share : {0.001, 0.1, 0.7}) {
    for (double over = 0; over <= 50; over += 10) {
      const double less = ln_evidence_less(200, over, share);
      const double more = ln_evidence_more(200, over, share);
      EXPECT_LE(ln_evidence_less(201, over, share) - less, -std::log1p(-share) + 1e-9);
      EXPECT_GE(ln_evidence_less(201, over, share), less);
      EXPECT_LE(ln_evidence_less(201, over + 1, share), less);
      EXPECT_LE(ln_evidence_more(201, over + 1, share) - more, -std::log(share) + 1e-9);
      EXPECT_GE(ln_evidence_more(201, over + 1, share), more);
      EXPECT_LE(ln_evidence_more(201, over, share), more);
    }
  }
}

TEST(the_lower_beta, is_the_whole_function_at_one_and_nothing_at_zero) {
  EXPECT_NEAR(ln_lower_beta(2, 3, 1), std::log(1.0 / 12), 1e-12);
  EXPECT_NEAR(ln_lower_beta(1, 1, 0.25), std::log(0.25), 1e-12);
  EXPECT_NEAR(ln_lower_beta(1, 1, 0.75), std::log(0.75), 1e-12);
  EXPECT_TRUE(std::isinf(ln_lower_beta(2, 3, 0)));
}

// statistics.md 3.2: 644 at p99 and 62 at p90.
TEST(the_watch, passes_without_a_value_over_the_limit_at_the_published_numbers) {
  EXPECT_EQ(first_pass(0.01, 0.01), 644U);
  EXPECT_EQ(first_pass(0.1, 0.01), 62U);
}

TEST(the_watch, finds_the_first_crossing_like_a_computation_after_every_value) {
  std::mt19937_64 random(1);
  for (const double truth : {0.02, 0.05, 0.1, 0.15, 0.5}) {
    for (int trial = 0; trial < 20; ++trial) {
      std::bernoulli_distribution draw(truth);
      const double bound = std::log(50);
      share_watch watch(0.1, bound, bound);
      double n = 0;
      double over = 0;
      for (int i = 0; i < 600; ++i) {
        const bool is_over = draw(random);
        ++n;
        over += is_over ? 1 : 0;
        const auto found = watch.add(is_over);
        const bool less = ln_evidence_less(n, over, 0.1) >= bound;
        const bool more = ln_evidence_more(n, over, 0.1) >= bound;
        ASSERT_EQ(found == share_watch::finding::less, less && !is_over) << n;
        ASSERT_EQ(found == share_watch::finding::more, more && is_over) << n;
        if (less || more) break;
      }
    }
  }
}

TEST(the_watch, keeps_its_error_rate_although_it_looks_after_every_value) {
  constexpr int trials = 2'000;
  std::mt19937_64 random(7);
  std::bernoulli_distribution draw(0.1);
  int wrong = 0;
  for (int trial = 0; trial < trials; ++trial) {
    share_watch watch(0.1, std::log(20), 1e9);
    auto found = share_watch::finding::open;
    for (int i = 0; i < 1'000 && found == share_watch::finding::open; ++i)
      found = watch.add(draw(random));
    wrong += found == share_watch::finding::less ? 1 : 0;
  }
  // 5 % allowed; a single look at the end with a test of 5 % is far above it after 1,000 looks.
  EXPECT_LT(wrong, trials * 5 / 100);
  EXPECT_GT(wrong, trials / 100);
}

}  // namespace
}  // namespace inferbench::confidence
