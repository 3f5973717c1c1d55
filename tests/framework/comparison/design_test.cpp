#include "comparison/design.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace {

using inferbench::comparison::chance_of_same;
using inferbench::comparison::chance_to_find;
using inferbench::comparison::design;
using inferbench::comparison::found_with;
using inferbench::comparison::needed_to_tell;

design blocks(std::size_t count, double deviation) {
  design out;
  out.deviation = deviation;
  out.count = count;
  return out;
}

design groups(std::size_t base, std::size_t other, double deviation, double other_deviation) {
  return {false, deviation, other_deviation, base, other};
}

/// statistics.md 3.4: the chances to find 2 %.
TEST(a_design, finds_2_percent_with_the_known_chances) {
  EXPECT_NEAR(chance_to_find(blocks(6, 0.01), 0.02, 0.05), 0.97, 0.01);
  EXPECT_NEAR(chance_to_find(blocks(8, 0.015), 0.02, 0.05), 0.90, 0.01);
  EXPECT_NEAR(chance_to_find(blocks(12, 0.02), -0.02, 0.05), 0.88, 0.01);
  EXPECT_NEAR(chance_to_find(blocks(20, 0.03), 0.02, 0.05), 0.81, 0.01);
}

/// A difference is found if it is significant and the verdict is not "same".
TEST(a_design, finds_a_difference_equal_to_the_margin_in_at_least_88_percent_with_8_blocks) {
  const double planted = std::log(1.02);
  const auto least_found = [&](const design& of, double alpha) {
    return chance_to_find(of, planted, alpha) - 0.01;
  };
  EXPECT_GE(least_found(blocks(8, 0.015), 0.05), 0.88);
  EXPECT_GE(least_found(blocks(8, 0.015), 0.0125), 0.64);
}

TEST(a_design, finds_its_detectable_difference_with_the_given_chance) {
  for (const double power : {0.8, 0.9}) {
    const double share = found_with(blocks(8, 0.015), {0.0125, 0.02, 0.01}, power);
    EXPECT_NEAR(chance_to_find(blocks(8, 0.015), std::log1p(share), 0.0125), power, 0.01);
    EXPECT_GE(chance_to_find(blocks(8, 0.015), std::log1p(share), 0.0125), power);
  }
  EXPECT_LT(found_with(blocks(12, 0.015), {}, 0.8), found_with(blocks(8, 0.015), {}, 0.8));
}

/// Smaller differences are significant too, but the verdict on them is "same".
TEST(a_design, finds_differences_near_the_margin_if_it_varies_little) {
  const double share = found_with(blocks(8, 0.001), {0.05, 0.02, 0.01}, 0.8);
  EXPECT_GT(share, 0.018);
  EXPECT_LT(share, std::expm1(0.02));
  const design at = blocks(8, 0.001);
  EXPECT_LE(chance_of_same(at, std::log1p(share), 0.02, 0.01), 0.2);
  EXPECT_NEAR(found_with(blocks(8, 0), {0.05, 0.02, 0.01}, 0.8), std::expm1(0.02), 1e-12);
}

TEST(a_design, has_a_detectable_difference_even_with_two_blocks_and_many_tests) {
  const double share = found_with(blocks(2, 0.01), {0.05 / 100, 0.02, 0.01}, 0.9);
  EXPECT_TRUE(std::isfinite(share));
  EXPECT_GT(share, 1);
}

TEST(a_design, of_equal_groups_has_the_degrees_of_both) {
  EXPECT_NEAR(groups(5, 5, 0.02, 0.02).degrees(), 8, 1e-9);
  EXPECT_NEAR(groups(5, 5, 0.02, 0).degrees(), 4, 1e-9);
  EXPECT_NEAR(groups(5, 5, 0, 0).degrees(), 8, 1e-9);
  EXPECT_NEAR(groups(10, 40, 0.02, 0.02).standard_error(), 0.02 * std::sqrt(0.125), 1e-12);
}

TEST(a_design, of_unequal_small_groups_has_the_degrees_of_the_smaller) {
  EXPECT_EQ(groups(2, 10, 0.02, 0.02).degrees(), 1);
  EXPECT_EQ(groups(10, 3, 0.02, 0.02).degrees(), 2);
  EXPECT_GT(groups(8, 20, 0.02, 0.02).degrees(), 7);
}

TEST(a_design, needs_the_first_number_that_has_the_chance) {
  const auto needed = needed_to_tell(blocks(4, 0.015), 0.03, {}, 0.8, 10'000);
  ASSERT_TRUE(needed);
  EXPECT_GE(chance_to_find(blocks(*needed, 0.015), 0.03, 0.05), 0.8);
  EXPECT_LT(chance_to_find(blocks(*needed - 1, 0.015), 0.03, 0.05), 0.8);
}

TEST(a_design, can_need_fewer_blocks_for_same_than_for_a_difference) {
  const auto needed = needed_to_tell(blocks(4, 0.015), 0.001, {}, 0.8, 10'000);
  ASSERT_TRUE(needed);
  EXPECT_LT(*needed, 20U);
  EXPECT_GE(chance_of_same(blocks(*needed, 0.015), 0.001, 0.02, 0.01), 0.8);
}

TEST(a_design, says_that_no_usable_number_tells) {
  EXPECT_FALSE(needed_to_tell(blocks(4, 3), 0.03, {}, 0.8, 1000));
  EXPECT_FALSE(needed_to_tell(blocks(4, 0.01), 0.03, {}, 0.8, 1));
}

TEST(a_design, shows_same_at_the_margin_at_most_as_often_as_its_level) {
  EXPECT_LE(chance_of_same(blocks(8, 0.003), 0.02, 0.02, 0.01), 0.01 + 1e-9);
  EXPECT_GT(chance_of_same(blocks(8, 0.003), 0, 0.02, 0.01), 0.999);
}

}  // namespace
