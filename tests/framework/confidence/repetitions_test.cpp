#include "confidence/repetitions.hpp"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::confidence {
namespace {

constexpr double unlimited_figure = std::numeric_limits<double>::infinity();

TEST(repetitions, have_the_interval_of_students_distribution) {
  // Standard deviation 1, t(2, 0.975) = 4.302653.
  const std::array<double, 3> values{9, 10, 11};
  const repeated_mean found = mean_of_repetitions(values);
  EXPECT_DOUBLE_EQ(found.mean, 10);
  EXPECT_EQ(found.count, 3U);
  ASSERT_TRUE(found.half_width);
  EXPECT_NEAR(*found.half_width, 4.302653 / 1.7320508, 1e-5);
}

TEST(repetitions, have_a_wider_interval_at_a_higher_confidence) {
  const std::array<double, 4> values{1, 2, 3, 4};
  EXPECT_GT(*mean_of_repetitions(values, 0.99).half_width,
            *mean_of_repetitions(values, 0.95).half_width);
}

TEST(repetitions, that_are_equal_have_an_interval_of_no_width) {
  const std::array<double, 3> values{5, 5, 5};
  EXPECT_EQ(mean_of_repetitions(values).half_width, 0.0);
}

TEST(repetitions, of_one_run_have_no_interval) {
  const std::array<double, 1> value{7};
  EXPECT_EQ(mean_of_repetitions(value).mean, 7);
  EXPECT_FALSE(mean_of_repetitions(value).half_width);
}

TEST(repetitions, with_a_value_that_is_not_finite_have_no_interval) {
  const std::array<double, 2> values{1, unlimited_figure};
  EXPECT_EQ(mean_of_repetitions(values).mean, unlimited_figure);
  EXPECT_FALSE(mean_of_repetitions(values).half_width);
}

TEST(repetitions, near_the_largest_number_do_not_overflow_the_mean) {
  const std::vector<double> values(2, std::numeric_limits<double>::max());
  EXPECT_EQ(mean_of_repetitions(values).mean, std::numeric_limits<double>::max());
}

}  // namespace
}  // namespace inferbench::confidence
