#include "confidence/mser.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::confidence {
namespace {

double noise(std::size_t i) { return std::fmod(static_cast<double>(i * i) * 0.618034, 1.0); }

TEST(mser, cuts_a_warm_up_that_falls) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 1000; ++i)
    values.push_back(100 + (i < 200 ? 200 - static_cast<double>(i) : 0) + 10 * noise(i));
  const truncation found = find_truncation(values);
  EXPECT_FALSE(found.at_edge);
  EXPECT_GE(found.cut, 180U);
  EXPECT_LE(found.cut, 210U);
}

TEST(mser, a_steady_series_loses_little) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 1000; ++i)
    values.push_back(noise(i));
  const truncation found = find_truncation(values);
  EXPECT_FALSE(found.at_edge);
  EXPECT_LE(found.cut, 250U);
}

TEST(mser, equal_values_are_steady_from_the_start) {
  const truncation found = find_truncation(std::vector<double>(100, 1e9));
  EXPECT_FALSE(found.at_edge);
  EXPECT_EQ(found.cut, 0U);
}

TEST(mser, a_trend_is_not_steady) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 1000; ++i)
    values.push_back(static_cast<double>(i) + noise(i));
  EXPECT_TRUE(find_truncation(values).at_edge);
}

TEST(mser, few_values_are_not_steady) {
  EXPECT_TRUE(find_truncation({}).at_edge);
  EXPECT_TRUE(find_truncation(std::vector<double>(9, 1.0)).at_edge);
}

}  // namespace
}  // namespace inferbench::confidence
