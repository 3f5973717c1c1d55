#include "comparison/sign_flip.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace {

using inferbench::comparison::most_sign_flips;
using inferbench::comparison::sign_flip_p;

/// The definition: all choices of signs, added one by one.
double by_definition(const std::vector<double>& differences) {
  double sum = 0;
  for (const double each : differences)
    sum += each;
  std::uint32_t extreme = 0;
  const std::uint32_t choices = std::uint32_t{1} << differences.size();
  for (std::uint32_t choice = 0; choice < choices; ++choice) {
    double flipped = 0;
    for (std::size_t i = 0; i < differences.size(); ++i)
      flipped += (choice >> i & 1U) != 0 ? -differences[i] : differences[i];
    if (std::abs(flipped) >= std::abs(sum) - 1e-9) ++extreme;
  }
  return static_cast<double>(extreme) / static_cast<double>(choices);
}

TEST(the_sign_flip_test, gives_the_smallest_p_if_all_differences_have_one_sign) {
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{0.1, 0.2, 0.05, 0.3, 0.1}).value_or(-1), 2.0 / 32);
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{-0.1, -0.2, -0.05}).value_or(-1), 2.0 / 8);
}

TEST(the_sign_flip_test, agrees_with_the_sum_over_all_choices) {
  const std::vector<double> differences{0.02, -0.01, 0.005, 0.013, 0.021, -0.004, 0.009};
  EXPECT_DOUBLE_EQ(sign_flip_p(differences).value_or(-1), by_definition(differences));
  // Equal sums count, whatever the rounding of their order.
  const std::vector<double> ties{0.1, 0.2, 0.3, -0.3, 0.6, -0.1};
  EXPECT_DOUBLE_EQ(sign_flip_p(ties).value_or(-1), by_definition(ties));
}

TEST(the_sign_flip_test, proves_nothing_with_equal_sums) {
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{0.5}).value_or(-1), 1);
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{0.0, 0.0, 0.0}).value_or(-1), 1);
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{0.1, -0.1}).value_or(-1), 1);
}

TEST(the_sign_flip_test, has_a_largest_number_of_differences) {
  const auto largest = sign_flip_p(std::vector<double>(most_sign_flips, 0.01));
  EXPECT_DOUBLE_EQ(largest.value_or(-1), std::exp2(-19));
  EXPECT_FALSE(sign_flip_p(std::vector<double>(most_sign_flips + 1, 0.01)));
  EXPECT_FALSE(sign_flip_p({}));
}

}  // namespace
