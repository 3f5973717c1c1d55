#include "datasets/synthetic/row_random.hpp"

#include <bit>
#include <set>

#include <gtest/gtest.h>

namespace synthetic {
namespace {

TEST(seed_of_row, is_the_same_on_every_machine) {
  static_assert(seed_of_row(0, 0) == 0xA706DD2F4D197E6FU);
  static_assert(seed_of_row(0, 1) == 0xB382A305F4414F5EU);
  static_assert(seed_of_row(1, 0) == 0x5E41AB087439611EU);
  static_assert(seed_of_row(7, 1'000'000'000'000) == 0x4AB976B722B3A32FU);
}

TEST(seed_of_row, differs_for_all_rows_of_neighbouring_seeds) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t row = 0; row < 5000; ++row)
      seen.insert(seed_of_row(seed, row));
  EXPECT_EQ(seen.size(), 100'000U);
}

TEST(seed_of_row, of_the_next_row_differs_in_about_half_of_the_bits) {
  int bits = 0;
  for (std::uint64_t row = 0; row < 1000; ++row)
    bits += std::popcount(seed_of_row(7, row) ^ seed_of_row(7, row + 1));
  EXPECT_NEAR(bits / 1000.0, 32, 1);
}

}  // namespace
}  // namespace synthetic
