#include "simulator/lateness.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

TEST(lateness, nothing_recorded_is_zero) {
  const auto late = std::make_unique<lateness>();
  EXPECT_EQ(late->count(), 0U);
  EXPECT_EQ(late->quantile_ns(0.99), 0U);
  EXPECT_EQ(late->maximum_ns(), 0U);
}

TEST(lateness, quantiles_are_right_within_a_thirty_second) {
  lateness late;
  for (std::uint64_t i = 1; i <= 100'000; ++i)
    late.record(i * 100);
  EXPECT_EQ(late.count(), 100'000U);
  EXPECT_DOUBLE_EQ(late.sum_ns() / 100'000, 5'000'050);
  EXPECT_EQ(late.maximum_ns(), 10'000'000U);
  for (const double q : {0.01, 0.5, 0.9, 0.99}) {
    const double exact = q * 1e7;
    EXPECT_GE(static_cast<double>(late.quantile_ns(q)), exact);
    EXPECT_LE(static_cast<double>(late.quantile_ns(q)), exact * (1 + 1.0 / 32));
  }
  EXPECT_EQ(late.quantile_ns(1), 10'000'000U);
}

TEST(lateness, small_values_are_exact) {
  lateness late;
  for (std::uint64_t i = 0; i < 64; ++i)
    late.record(i);
  EXPECT_EQ(late.quantile_ns(0.5), 31U);
  EXPECT_EQ(late.at_most(9), 10U);
}

TEST(lateness, the_greatest_value_has_a_place) {
  lateness late;
  late.record(UINT64_MAX);
  late.record(UINT64_MAX / 2);
  EXPECT_EQ(late.quantile_ns(1), UINT64_MAX);
  EXPECT_EQ(late.at_most(UINT64_MAX), 2U);
}

}  // namespace
}  // namespace inferbench::simulator
