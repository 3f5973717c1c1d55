#include "metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

statistics of(std::vector<double> values, std::vector<double> percentiles) {
  return describe(values, percentiles);
}

TEST(statistics, an_empty_set_is_zero_throughout) {
  const auto s = of({}, {50, 99});
  EXPECT_EQ(s.count, 0U);
  EXPECT_EQ(s.mean, 0.0);
  EXPECT_EQ(s.median, 0.0);
  EXPECT_EQ(s.deviation, 0.0);
  EXPECT_EQ(s.maximum, 0.0);
  EXPECT_EQ(s.quantiles, (std::vector<double>{0, 0}));
}

TEST(statistics, one_value_is_its_own_mean_median_and_percentile) {
  const auto s = of({7.5}, {0, 50, 99.9, 100});
  EXPECT_EQ(s.mean, 7.5);
  EXPECT_EQ(s.median, 7.5);
  EXPECT_EQ(s.deviation, 0.0);
  EXPECT_EQ(s.quantiles, (std::vector<double>{7.5, 7.5, 7.5, 7.5}));
}

TEST(statistics, percentiles_interpolate_between_closest_ranks) {
  // Sorted 10 20 30 40 50: h = 4 p/100.
  const auto s = of({50, 20, 40, 10, 30}, {99, 25, 90, 10, 0, 100});
  EXPECT_DOUBLE_EQ(s.quantiles[0], 49.6);
  EXPECT_DOUBLE_EQ(s.quantiles[1], 20);
  EXPECT_DOUBLE_EQ(s.quantiles[2], 46);
  EXPECT_DOUBLE_EQ(s.quantiles[3], 14);
  EXPECT_DOUBLE_EQ(s.quantiles[4], 10);
  EXPECT_DOUBLE_EQ(s.quantiles[5], 50);
  EXPECT_DOUBLE_EQ(s.median, 30);
}

TEST(statistics, the_median_of_an_even_set_lies_between_the_middle_values) {
  EXPECT_DOUBLE_EQ(of({4, 1, 3, 2}, {}).median, 2.5);
}

TEST(statistics, the_deviation_is_that_of_the_population) {
  EXPECT_DOUBLE_EQ(of({2, 4, 4, 4, 5, 5, 7, 9}, {}).deviation, 2.0);
}

TEST(statistics, selection_finds_the_same_values_as_sorting) {
  std::mt19937 random(1);
  const std::vector<double> percentiles = {99.9, 1, 50, 50, 33.3, 75, 75.01, 99, 0.1, 100, 0};
  for (std::size_t n = 1; n <= 200; ++n) {
    std::vector<double> values(n);
    for (double& v : values)
      v = static_cast<double>(random() % 50);
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    const auto s = describe(values, percentiles);
    for (std::size_t i = 0; i < percentiles.size(); ++i) {
      const double h = static_cast<double>(n - 1) * percentiles[i] / 100;
      const auto below = static_cast<std::size_t>(h);
      const double low = sorted[below];
      const double high = sorted[std::min(below + 1, n - 1)];
      EXPECT_NEAR(s.quantiles[i], low + (h - std::floor(h)) * (high - low), 1e-9)
          << n << " values, percentile " << percentiles[i];
    }
  }
}

TEST(statistics, a_percentile_beyond_the_scale_is_the_nearer_end) {
  EXPECT_EQ(of({1, 2}, {-5, 140}).quantiles, (std::vector<double>{1, 2}));
}

TEST(statistics, a_sum_does_not_lose_small_terms_beside_large_ones) {
  exact_sum sum;
  sum.add(1e16);
  for (int i = 0; i < 1000; ++i)
    sum.add(1.0);
  sum.add(-1e16);
  EXPECT_EQ(sum.value(), 1000.0);
}

}  // namespace
}  // namespace inferbench::metrics
