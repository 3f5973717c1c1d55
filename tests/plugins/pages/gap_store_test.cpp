#include "reporters/pages/gap_store.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using reporters::gap_store;
using testing::ElementsAre;

std::vector<std::uint64_t> sequences_of(const std::vector<gap_store::gap_list>& lists) {
  std::vector<std::uint64_t> out;
  for (const auto& each : lists)
    out.push_back(each.sequence);
  return out;
}

TEST(gap_store, up_to_the_limit_all_gaps_are_kept) {
  gap_store store({.all = 6, .slowest = 1, .drawn = 0});
  store.add(7, 10, 2, "ab");
  store.add(3, 20, 4, "cdef");
  EXPECT_TRUE(store.keeps_all());
  EXPECT_EQ(store.total(), 6U);
  const auto kept = store.take();
  EXPECT_THAT(sequences_of(kept), ElementsAre(3, 7));
  EXPECT_EQ(kept[0].bytes, "cdef");
  EXPECT_EQ(kept[0].count, 4U);
}

TEST(gap_store, beyond_the_limit_the_slowest_requests_count_also_those_from_before) {
  gap_store store({.all = 6, .slowest = 2, .drawn = 0});
  store.add(0, 50, 2, "ab");
  store.add(1, 10, 2, "cd");
  store.add(2, 90, 2, "ef");
  store.add(3, 60, 2, "gh");
  store.add(4, 20, 2, "ij");
  EXPECT_FALSE(store.keeps_all());
  EXPECT_EQ(store.total(), 10U);
  const auto kept = store.take();
  EXPECT_THAT(sequences_of(kept), ElementsAre(2, 3));
  EXPECT_EQ(kept[1].bytes, "gh");
}

TEST(gap_store, no_answer_can_exceed_the_limit_alone) {
  gap_store store({.all = 6, .slowest = 2, .drawn = 2});
  store.add(0, 50, 7, "abcdefg");
  EXPECT_FALSE(store.keeps_all());
  EXPECT_THAT(store.take(), testing::IsEmpty());
}

}  // namespace
