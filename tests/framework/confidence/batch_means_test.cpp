#include "confidence/batch_means.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::confidence {
namespace {

/// Values without order: the fractions of multiples of the golden ratio.
std::vector<double> scattered(std::size_t count) {
  std::vector<double> out;
  for (std::size_t i = 1; i <= count; ++i)
    out.push_back(std::fmod(static_cast<double>(i * i) * 0.6180339887498949, 1.0));
  return out;
}

TEST(estimate_mean, needs_64_values) {
  EXPECT_FALSE(estimate_mean(scattered(least_for_mean - 1)));
  EXPECT_TRUE(estimate_mean(scattered(least_for_mean)));
  EXPECT_FALSE(estimate_mean({}));
}

TEST(estimate_mean, is_at_least_as_wide_as_for_independent_values) {
  const auto found = estimate_mean(scattered(1000));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->mean, 0.5, 0.03);
  EXPECT_GE(found->half_width, 2.4 * std::sqrt(1.0 / 12 / 1000));
  EXPECT_LE(found->effective_count, 1000);
}

TEST(estimate_mean, equal_values_have_no_width) {
  const auto found = estimate_mean(std::vector<double>(100, 7.0));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->mean, 7);
  EXPECT_EQ(found->half_width, 0);
}

TEST(estimate_mean, a_trend_gives_no_estimate) {
  std::vector<double> trend(1000);
  for (std::size_t i = 0; i < trend.size(); ++i)
    trend[i] = static_cast<double>(i);
  EXPECT_FALSE(estimate_mean(trend));
}

}  // namespace
}  // namespace inferbench::confidence
