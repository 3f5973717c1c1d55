#include "comparison/difference.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace {

using inferbench::comparison::difference_of_blocks;
using inferbench::comparison::difference_of_groups;
using inferbench::comparison::log_difference;

/// Mean 0.02, t = 0.02 / 0.00577 with 3 degrees.
const std::vector<double> four{0.01, 0.01, 0.03, 0.03};

TEST(the_difference_of_blocks, is_students_t) {
  const auto found = difference_of_blocks(four);
  ASSERT_TRUE(found);
  const double error = std::sqrt(4 * 0.0001 / 3) / 2;
  EXPECT_NEAR(found->mean, 0.02, 1e-15);
  EXPECT_NEAR(found->plan.standard_error(), error, 1e-15);
  EXPECT_NEAR(found->half_width(0.05), 3.182446 * error, 1e-8);
  // P(|T| > 3.4641) with 3 degrees.
  EXPECT_NEAR(found->p(), 0.0405, 0.0001);
  EXPECT_NEAR(found->p_same(0.02 + error * 3.182446), 0.025, 1e-6);
}

TEST(the_difference_of_blocks, is_not_the_same_beyond_the_margin) {
  const auto found = difference_of_blocks(four);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->p_same(0.02), 0.5, 1e-12);
  EXPECT_GT(found->p_same(0.01), 0.5);
}

TEST(the_difference_of_blocks, needs_two) {
  EXPECT_FALSE(difference_of_blocks(std::vector{0.1}));
  EXPECT_FALSE(difference_of_blocks({}));
}

TEST(the_difference_of_groups, is_welchs_t) {
  const auto found = difference_of_groups(std::vector{1.0, 1.1, 0.9}, std::vector{1.2, 1.2, 1.5});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->mean, 0.3, 1e-12);
  // Variances 0.01 and 0.03.
  EXPECT_NEAR(found->plan.standard_error(), std::sqrt(0.04 / 3), 1e-12);
  EXPECT_NEAR(found->plan.degrees(), 0.04 * 0.04 / ((0.0001 + 0.0009) / 2), 1e-9);
  EXPECT_NEAR(found->deviation(), std::sqrt(0.02), 1e-12);
  EXPECT_FALSE(difference_of_groups(std::vector{1.0}, std::vector{1.0, 2.0}));
  EXPECT_FALSE(difference_of_groups(std::vector{1.0, 2.0}, std::vector{1.0}));
}

TEST(a_difference_of_constant_values, has_the_chance_of_their_order) {
  const auto blocks = difference_of_blocks(std::vector(8, std::log(1.1)));
  ASSERT_TRUE(blocks);
  EXPECT_NEAR(blocks->p(), 2.0 / 256, 1e-15);
  EXPECT_EQ(blocks->p_same(0.02), 1);
  EXPECT_EQ(blocks->half_width(0.05), 0);
  const auto groups = difference_of_groups(std::vector{1.0, 1.0, 1.0}, std::vector{2.0, 2.0});
  ASSERT_TRUE(groups);
  EXPECT_NEAR(groups->p(), 2.0 / 10, 1e-12);
}

TEST(a_difference_of_constant_values, that_is_0_is_no_difference) {
  const auto found = difference_of_blocks(std::vector(8, 1e-15));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->p(), 1);
  EXPECT_NEAR(found->p_same(0.02), 1.0 / 256, 1e-15);
}

TEST(a_difference_of_values_of_which_one_group_is_constant, is_welchs_t) {
  const auto found = difference_of_groups(std::vector{1.0, 1.0, 1.0}, std::vector{1.0, 1.1, 1.2});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->constant_chance);
  EXPECT_NEAR(found->plan.degrees(), 2, 1e-9);
}

}  // namespace
