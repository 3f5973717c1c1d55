#include "base/arena.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

namespace inferbench::base {

TEST(arena, gives_zeroed_memory_aligned_to_sixteen_bytes) {
  arena a;
  for (const std::size_t size : {1U, 15U, 16U, 17U, 4096U, 100'000U}) {
    auto* p = static_cast<unsigned char*>(a.alloc(size));
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 16, 0U);
    EXPECT_TRUE(std::all_of(p, p + size, [](unsigned char c) { return c == 0; }));
    std::memset(p, 0xAA, size);
  }
}

TEST(arena, keeps_pieces_apart) {
  arena a;
  const auto one = a.copy("one");
  const auto two = a.copy(std::string(5000, 'x'));
  const auto three = a.copy("three");
  EXPECT_EQ(one, "one");
  EXPECT_EQ(two, std::string(5000, 'x'));
  EXPECT_EQ(three, "three");
}

TEST(arena, refuses_memory_when_its_limit_is_reached) {
  arena a(64);
  EXPECT_NE(a.alloc(48), nullptr);
  EXPECT_EQ(a.alloc(32), nullptr);
  EXPECT_NE(a.alloc(16), nullptr);
  EXPECT_EQ(a.alloc(1), nullptr);
  EXPECT_EQ(a.alloc(SIZE_MAX), nullptr);
}

TEST(arena, forgets_and_zeroes_again_after_reset) {
  arena a;
  std::memset(a.alloc(3000), 0xFF, 3000);
  std::ignore = a.alloc(10'000);
  a.reset();
  EXPECT_EQ(a.used(), 0U);
  auto* p = static_cast<unsigned char*>(a.alloc(3000));
  EXPECT_TRUE(std::all_of(p, p + 3000, [](unsigned char c) { return c == 0; }));
}

TEST(arena, a_large_allocation_is_zeroed_also_where_another_was_before) {
  constexpr std::size_t size = 3 * large_block_bytes;
  arena a;
  for (int round = 0; round < 3; ++round) {
    auto* p = static_cast<unsigned char*>(a.alloc(size));
    ASSERT_NE(p, nullptr);
    EXPECT_TRUE(std::all_of(p, p + size, [](unsigned char c) { return c == 0; }));
    std::memset(p, 0xAA, size);
    EXPECT_EQ(a.used(), size);
    a.reset();
    EXPECT_EQ(a.used(), 0U);
  }
}

TEST(arena, a_large_allocation_is_not_part_of_the_small_ones) {
  arena a;
  auto* const before = static_cast<std::byte*>(a.alloc(32));
  std::ignore = a.alloc(large_block_bytes);
  auto* const after = static_cast<std::byte*>(a.alloc(32));
  EXPECT_EQ(after, before + 32);
}

TEST(arena, gives_large_allocations_back_when_it_is_reset_or_destroyed) {
  constexpr std::size_t size = 5 * large_block_bytes;
  const large_blocks& blocks = large_blocks::of_process();
  {
    arena a;
    std::ignore = a.alloc(size);
    a.reset();
    const std::size_t kept = blocks.kept();
    EXPECT_GE(kept, size);
    std::ignore = a.alloc(size);
    EXPECT_LT(blocks.kept(), kept);
  }
  EXPECT_GE(blocks.kept(), size);
}

TEST(arena, the_limit_holds_for_large_allocations) {
  arena a(2 * large_block_bytes);
  EXPECT_NE(a.alloc(large_block_bytes), nullptr);
  EXPECT_EQ(a.alloc(large_block_bytes + 16), nullptr);
  EXPECT_NE(a.alloc(large_block_bytes), nullptr);
}

TEST(arena, copies_nothing_to_nothing) {
  arena a;
  EXPECT_TRUE(a.copy("").empty());
  EXPECT_EQ(a.used(), 0U);
}

}  // namespace inferbench::base
