#include "simulator/prefix_cache.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

std::string text(char fill, std::size_t size) { return std::string(size, fill); }

TEST(prefix_cache, whole_blocks_that_were_seen_are_hits) {
  prefix_cache cache(100);
  EXPECT_EQ(cache.look_up(text('a', 40)), 0U);
  EXPECT_EQ(cache.look_up(text('a', 40)), 32U);
  EXPECT_EQ(cache.look_up(text('a', 100)), 32U);
  EXPECT_EQ(cache.look_up(text('a', 100)), 96U);
  EXPECT_EQ(cache.look_up(text('a', 15)), 0U);
}

TEST(prefix_cache, a_block_counts_only_after_the_same_prefix) {
  prefix_cache cache(100);
  cache.look_up(text('a', 16) + text('b', 16));
  EXPECT_EQ(cache.look_up(text('b', 16)), 0U);
  EXPECT_EQ(cache.look_up(text('a', 16) + text('c', 16)), 16U);
  EXPECT_EQ(cache.look_up(text('c', 16) + text('a', 16)), 0U);
}

TEST(prefix_cache, tokens_may_be_wider_than_a_byte) {
  prefix_cache cache(100);
  EXPECT_EQ(cache.look_up(text('a', 64), 4), 0U);
  EXPECT_EQ(cache.look_up(text('a', 64), 4), 16U);
  EXPECT_EQ(cache.look_up(text('a', 64), 1), 0U) << "other tokens";
}

TEST(prefix_cache, the_oldest_blocks_make_room) {
  prefix_cache cache(2);
  cache.look_up(text('a', 16));
  cache.look_up(text('b', 16));
  cache.look_up(text('c', 16));
  EXPECT_EQ(cache.look_up(text('b', 16)), 16U);
  EXPECT_EQ(cache.look_up(text('a', 16)), 0U);
}

TEST(prefix_cache, a_prompt_longer_than_the_cache_keeps_its_beginning) {
  prefix_cache cache(4);
  cache.look_up(text('a', 1000));
  EXPECT_EQ(cache.look_up(text('a', 1000)), 64U);
}

TEST(prefix_cache, a_reset_forgets_everything) {
  prefix_cache cache(10);
  cache.look_up(text('a', 32));
  cache.reset();
  EXPECT_EQ(cache.look_up(text('a', 32)), 0U);
}

TEST(prefix_cache, without_blocks_there_is_no_cache) {
  prefix_cache cache(0);
  EXPECT_FALSE(cache.enabled());
  EXPECT_EQ(cache.look_up(text('a', 32)), 0U);
  EXPECT_EQ(cache.look_up(text('a', 32)), 0U);
}

}  // namespace
}  // namespace inferbench::simulator
