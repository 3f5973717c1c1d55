#include "comparison/tails.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace {

using inferbench::comparison::shifted_tail;
using inferbench::comparison::student_tail;

TEST(the_tail_of_students_t, has_the_values_of_its_tables) {
  EXPECT_NEAR(student_tail(2.364624, 7), 0.025, 1e-6);
  EXPECT_NEAR(student_tail(-1.795885, 11), 0.95, 1e-6);
  EXPECT_NEAR(student_tail(1, 1), 0.25, 1e-12);  // Cauchy: 1/2 - atan(1)/pi
}

TEST(the_tail_of_students_t, ends_at_infinity) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(student_tail(infinite, 3), 0);
  EXPECT_EQ(student_tail(-infinite, 3), 1);
}

TEST(the_tail_of_the_noncentral_t, is_that_of_students_t_without_a_shift) {
  EXPECT_NEAR(shifted_tail(2.364624, 7, 0), 0.025, 1e-6);
}

/// P(Z + shift > t chi / sqrt(degrees)), integrated over the quantiles of chi for two degrees,
/// where P(chi > x) = exp(-x^2 / 2).
TEST(the_tail_of_the_noncentral_t, agrees_with_an_integral) {
  const double t = 4.3, shift = 5;
  double sum = 0;
  constexpr int steps = 20'000;
  for (int i = 0; i < steps; ++i) {
    const double chi = std::sqrt(-2 * std::log((i + 0.5) / steps));
    sum += std::erfc((t * chi / std::sqrt(2.0) - shift) / std::sqrt(2.0)) / 2;
  }
  EXPECT_NEAR(shifted_tail(t, 2, shift), sum / steps, 1e-5);
}

TEST(the_tail_of_the_noncentral_t, is_certain_far_away) {
  EXPECT_EQ(shifted_tail(2, 7, 1e9), 1);
  EXPECT_EQ(shifted_tail(2, 7, -1e9), 0);
  EXPECT_EQ(shifted_tail(2, 7, std::numeric_limits<double>::infinity()), 1);
}

}  // namespace
