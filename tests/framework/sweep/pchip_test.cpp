#include "sweep/pchip.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace inferbench::sweep {
namespace {

/// The width of a chord that stands for a tangent, and the bound of its error in these tests.
constexpr double chord = 1e-6;
constexpr double chord_error = 1e-5;

/// The slope at a point, from the values to the right of it.
double slope_after(const monotone_cubic& curve, double at) {
  return (curve.value(at + chord) - curve.value(at)) / chord;
}
/// The same from the values to the left.
double slope_before(const monotone_cubic& curve, double at) {
  return (curve.value(at) - curve.value(at - chord)) / chord;
}

TEST(pchip, two_points_make_a_straight_line) {
  const monotone_cubic line({1, 8192}, {-49, 8142});
  EXPECT_NEAR(line.value(2), -48, 1e-9);
  EXPECT_NEAR(line.value(100), 50, 1e-9);
  EXPECT_NEAR(line.value(8191), 8141, 1e-8);
  EXPECT_EQ(line.smallest_root(), 50);
}

TEST(pchip, a_line_of_many_points_stays_a_line) {
  const monotone_cubic line({1, 50, 51, 8192}, {-49, 0, 1, 8142});
  for (const double at : {2.0, 25.0, 49.0, 50.5, 52.0, 4000.0, 8191.0})
    EXPECT_NEAR(line.value(at), at - 50, 1e-8);
  EXPECT_EQ(line.smallest_root(), 50);
}

// h = 1, 2, 1; m = 1, 2, -1.
TEST(pchip, the_slopes_are_those_of_the_definition) {
  const monotone_cubic curve({0, 1, 3, 4}, {0, 1, 5, 4});
  // ((2 + 2) * 1 - 1 * 2) / 3
  EXPECT_NEAR(slope_after(curve, 0), 2.0 / 3, chord_error);
  // w1 = 2 * 2 + 1 = 5, w2 = 2 + 2 * 1 = 4: 9 / (5 / 1 + 4 / 2)
  EXPECT_NEAR(slope_before(curve, 1), 9.0 / 7, chord_error);
  EXPECT_NEAR(slope_after(curve, 1), 9.0 / 7, chord_error);
  // The slopes of the intervals differ in sign.
  EXPECT_NEAR(slope_before(curve, 3), 0, chord_error);
  EXPECT_NEAR(slope_after(curve, 3), 0, chord_error);
  // Mirrored: ((2 * 1 + 2) * -1 - 1 * 2) / 3 = -2
  EXPECT_NEAR(slope_before(curve, 4), -2, chord_error);
}

TEST(pchip, an_end_slope_with_the_wrong_sign_is_zero) {
  // h = 1, 1; m = 1, 4: (3 * 1 - 4) / 2 < 0.
  EXPECT_NEAR(slope_after(monotone_cubic({0, 1, 2}, {0, 1, 5}), 0), 0, chord_error);
  EXPECT_NEAR(slope_before(monotone_cubic({0, 1, 2}, {0, 4, 5}), 2), 0, chord_error);
}

TEST(pchip, an_end_slope_is_at_most_three_times_that_of_its_interval) {
  // h = 1, 1; m = 1, -9: (3 * 1 + 9) / 2 = 6 > 3.
  EXPECT_NEAR(slope_after(monotone_cubic({0, 1, 2}, {0, 1, -8}), 0), 3, chord_error);
  EXPECT_NEAR(slope_before(monotone_cubic({0, 1, 2}, {-8, 1, 0}), 2), -3, chord_error);
}

TEST(pchip, the_end_slope_beside_a_flat_interval_is_zero) {
  EXPECT_NEAR(slope_after(monotone_cubic({0, 1, 2}, {3, 3, 5}), 0), 0, chord_error);
  EXPECT_NEAR(slope_before(monotone_cubic({0, 1, 2}, {1, 3, 3}), 2), 0, chord_error);
}

TEST(pchip, the_curve_goes_through_its_points) {
  const std::vector<double> x{1, 2, 7, 40, 8192};
  const std::vector<double> y{-3, -2.5, 4, 3, 1e6};
  const monotone_cubic curve(x, y);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_DOUBLE_EQ(curve.value(x[i]), y[i]);
}

TEST(pchip, the_smallest_of_several_roots_is_found) {
  const monotone_cubic curve({0, 1, 2, 3}, {-1, 1, -1, 1});
  const auto root = curve.smallest_root();
  ASSERT_TRUE(root);
  EXPECT_GT(*root, 0);
  EXPECT_LT(*root, 1);
}

TEST(pchip, a_root_may_be_a_point) {
  EXPECT_EQ(monotone_cubic({2, 5, 9}, {0, 1, 2}).smallest_root(), 2);
  EXPECT_EQ(monotone_cubic({2, 5, 9}, {3, 0, 2}).smallest_root(), 5);
  EXPECT_EQ(monotone_cubic({2, 5, 9}, {-3, -1, 0}).smallest_root(), 9);
  EXPECT_EQ(monotone_cubic({2, 5, 9}, {1, 0, 0}).smallest_root(), 5);
}

TEST(pchip, values_of_one_sign_have_no_root) {
  EXPECT_FALSE(monotone_cubic({1, 2, 3}, {1, 0.1, 5}).smallest_root());
  EXPECT_FALSE(monotone_cubic({1, 8192}, {-1, -2}).smallest_root());
}

TEST(pchip, a_root_beside_a_whole_number_stays_beside_it) {
  const auto root = monotone_cubic({1, 8192}, {-49 + 1e-8, 8142 + 1e-8}).smallest_root();
  ASSERT_TRUE(root);
  EXPECT_LT(*root, 50);
  EXPECT_NEAR(*root, 50, 1e-7);
}

TEST(pchip, the_curve_is_monotone_between_points_and_zero_at_its_root) {
  std::mt19937 random(1);  // NOLINT: the same numbers in each run
  std::uniform_real_distribution<double> number(-100, 100);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> x;
    std::vector<double> y;
    for (double at = 1; x.size() < 6; at += 1 + std::abs(number(random))) {
      x.push_back(at);
      y.push_back(number(random));
    }
    const monotone_cubic curve(x, y);
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      double before = y[k];
      for (int i = 1; i <= 50; ++i) {
        const double now = curve.value(x[k] + (x[k + 1] - x[k]) * i / 50);
        if (y[k + 1] > y[k]) {
          EXPECT_GE(now, before - 1e-9);
        } else {
          EXPECT_LE(now, before + 1e-9);
        }
        before = now;
      }
    }
    if (const auto root = curve.smallest_root()) {
      EXPECT_NEAR(curve.value(*root), 0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace inferbench::sweep
