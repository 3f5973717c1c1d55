#include "base/large_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::base {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

bool is_zero(const large_block& block) {
  return std::all_of(block.data, block.data + block.size,
                     [](std::byte one) { return one == std::byte{0}; });
}

TEST(large_blocks, a_fresh_block_has_the_size_and_is_zero) {
  large_blocks all(4 * mebibyte);
  const large_block one = all.take(mebibyte + 1);
  ASSERT_NE(one.data, nullptr);
  EXPECT_GE(one.size, mebibyte + 1);
  EXPECT_LE(one.size, mebibyte + 4096);
  EXPECT_TRUE(one.zeroed);
  EXPECT_TRUE(is_zero(one));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one.data) % 16, 0U);
  all.give_back(one);
}

TEST(large_blocks, a_freed_block_is_used_again_and_is_not_called_zero) {
  large_blocks all(4 * mebibyte);
  const large_block one = all.take(mebibyte);
  std::memset(one.data, 0xAA, one.size);
  all.give_back(one);
  EXPECT_EQ(all.kept(), one.size);
  const large_block again = all.take(mebibyte - 5000);
  EXPECT_EQ(again.data, one.data);
  EXPECT_EQ(again.size, one.size);
  EXPECT_FALSE(again.zeroed);
  EXPECT_EQ(all.kept(), 0U);
  all.give_back(again);
}

TEST(large_blocks, a_block_that_is_more_than_a_quarter_too_large_is_not_used) {
  large_blocks all(8 * mebibyte);
  const large_block four = all.take(4 * mebibyte);
  all.give_back(four);
  const large_block three = all.take(3 * mebibyte);
  EXPECT_NE(three.data, four.data);
  const large_block almost_four = all.take(4 * mebibyte - 4096);
  EXPECT_EQ(almost_four.data, four.data);
  all.give_back(three);
  all.give_back(almost_four);
}

TEST(large_blocks, the_smallest_block_that_is_large_enough_is_used) {
  large_blocks all(16 * mebibyte);
  std::vector<large_block> blocks;
  for (const std::size_t pages : {260U, 256U, 258U})
    blocks.push_back(all.take(pages * 4096));
  for (const large_block& one : blocks)
    all.give_back(one);
  const large_block found = all.take(257 * 4096);
  EXPECT_EQ(found.data, blocks[2].data);
  all.give_back(found);
}

TEST(large_blocks,
     freed_blocks_never_exceed_twice_the_stock_and_the_next_block_shrinks_them_to_it) {
  large_blocks all(4 * mebibyte);
  std::vector<large_block> blocks;
  for (int i = 0; i < 20; ++i)
    blocks.push_back(all.take(mebibyte));
  for (const large_block& one : blocks) {
    all.give_back(one);
    EXPECT_LE(all.kept(), 8 * mebibyte);
  }
  EXPECT_EQ(all.kept(), 8 * mebibyte);
  const large_block other = all.take(3 * mebibyte);
  EXPECT_EQ(all.kept(), 4 * mebibyte);
  all.give_back(other);
}

TEST(large_blocks, a_block_larger_than_the_stock_allows_is_not_kept) {
  large_blocks all(mebibyte);
  all.give_back(all.take(3 * mebibyte));
  EXPECT_EQ(all.kept(), 0U);
}

TEST(large_blocks, blocks_of_an_impossible_size_are_not_given) {
  large_blocks all(mebibyte);
  EXPECT_EQ(all.take(SIZE_MAX).data, nullptr);
  EXPECT_EQ(all.take(SIZE_MAX / 2).data, nullptr);
  all.give_back({});
}

}  // namespace
}  // namespace inferbench::base
