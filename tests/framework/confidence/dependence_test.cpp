#include "confidence/dependence.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "confidence/binomial.hpp"

namespace inferbench::confidence {
namespace {

/// A Markov series of values over and under a limit: with the chance `rho` a value is on the same
/// side as the value before it, otherwise it is over the limit with the chance `share`. The
/// correlation time of the series is (1 + rho) / (1 - rho).
class markov_series {
 public:
  markov_series(double share, double rho, std::uint64_t seed)
      : share_(share), rho_(rho), random_(seed), over_(chance(share)) {}

  over_series draw(std::size_t count) {
    over_series out;
    for (std::size_t i = 0; i < count; ++i) {
      out.add(over_);
      if (!chance(rho_)) over_ = chance(share_);
    }
    return out;
  }

 private:
  bool chance(double of) { return static_cast<double>(random_() >> 11U) / 9007199254740992.0 < of; }

  double share_, rho_;
  std::mt19937_64 random_;
  bool over_;
};

TEST(over_series, counts_its_values) {
  over_series s;
  EXPECT_EQ(s.count(), 0U);
  EXPECT_EQ(s.correlation_time(), 1);
  for (int i = 0; i < 130; ++i)
    s.add(i % 2 == 0);
  EXPECT_EQ(s.count(), 130U);
  EXPECT_EQ(s.over(), 65U);
}

TEST(over_series, a_series_on_one_side_and_an_alternating_series_have_the_time_one) {
  over_series under, over, alternating;
  for (int i = 0; i < 1000; ++i) {
    under.add(false);
    over.add(true);
    alternating.add(i % 2 == 0);
  }
  EXPECT_EQ(under.correlation_time(), 1);
  EXPECT_EQ(over.correlation_time(), 1);
  EXPECT_EQ(alternating.correlation_time(), 1);
}

TEST(over_series, finds_the_correlation_time_of_a_markov_series) {
  for (const double rho : {0.0, 0.3, 0.5, 0.8, 0.95}) {
    const double expected = (1 + rho) / (1 - rho);
    EXPECT_NEAR(markov_series(0.1, rho, 7).draw(200'000).correlation_time(), expected,
                0.2 * expected)
        << rho;
  }
}

TEST(over_series, a_change_in_the_middle_of_a_long_series_leaves_few_independent_values) {
  over_series s;
  for (int i = 0; i < 200'000; ++i)
    s.add(i >= 100'000);
  EXPECT_LT(200'000 / s.correlation_time(), 10);
}

TEST(over_series, agrees_with_the_time_of_the_same_values_as_numbers) {
  for (const std::size_t n : {50U, 700U, 3000U}) {
    over_series bits;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < n; ++i) {
      const bool over = (i / 9) % 3 == 0 && i % 5 != 0;
      bits.add(over);
      numbers.push_back(over ? 1 : 0);
    }
    EXPECT_NEAR(bits.correlation_time(), correlation_time(numbers), 1e-6) << n;
  }
}

TEST(correlation_time, of_an_empty_series_a_single_value_and_equal_values_is_one) {
  EXPECT_EQ(correlation_time({}), 1);
  EXPECT_EQ(correlation_time(std::vector<double>{5}), 1);
  EXPECT_EQ(correlation_time(std::vector<double>(2000, 5.0)), 1);
}

TEST(correlation_time, of_a_trend_is_a_large_part_of_the_series) {
  std::vector<double> trend(50'000);
  for (std::size_t i = 0; i < trend.size(); ++i)
    trend[i] = static_cast<double>(i);
  EXPECT_GT(correlation_time(trend), 5000);
}

// In truth exactly 10 % of the values are over the limit, so a proof that less are over it is
// false. Without the division by the correlation time, 7.9 % (rho 0.5) and 23 % (rho 0.8) of the
// samples would give a false proof.
TEST(over_series, its_time_keeps_false_proofs_of_dependent_samples_rare) {
  for (const double rho : {0.0, 0.5, 0.8}) {
    markov_series at_the_limit(0.1, rho, 11);
    int proofs = 0;
    for (int i = 0; i < 500; ++i) {
      const over_series s = at_the_limit.draw(2000);
      proofs +=
          exceedance{2000, static_cast<double>(s.over()), s.correlation_time(), 0.1}.proves_less()
              ? 1
              : 0;
    }
    EXPECT_LE(proofs, 15) << rho;  // 3 %
  }
}

}  // namespace
}  // namespace inferbench::confidence
