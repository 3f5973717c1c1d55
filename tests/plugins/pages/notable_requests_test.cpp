#include "reporters/pages/notable_requests.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using notable = reporters::notable_requests<int>;
using testing::ElementsAre;
using testing::SizeIs;

/// 10,000 requests; those with the numbers 5000 to 5009 are slow.
std::vector<std::uint64_t> chosen_from(const std::vector<std::uint64_t>& order,
                                       notable::limits limits) {
  notable some(limits);
  for (const std::uint64_t n : order)
    some.add(n, n >= 5000 && n < 5010 ? 1'000'000 + n : n % 100, 1, [] { return 0; });
  std::vector<std::uint64_t> out;
  for (const auto& each : some.take())
    out.push_back(each.sequence);
  return out;
}

std::vector<std::uint64_t> ten_thousand() {
  std::vector<std::uint64_t> out(10'000);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = i;
  return out;
}

TEST(notable_requests, the_slowest_are_kept_and_others_are_drawn_from_the_whole_run) {
  const auto chosen = chosen_from(ten_thousand(), {.slowest = 10, .drawn = 40, .size = 1000});
  EXPECT_THAT(chosen, SizeIs(50));
  EXPECT_TRUE(std::ranges::is_sorted(chosen));
  for (std::uint64_t slow = 5000; slow < 5010; ++slow)
    EXPECT_TRUE(std::ranges::binary_search(chosen, slow));
  const auto in = [&](std::uint64_t from, std::uint64_t to) {
    return std::ranges::count_if(chosen, [&](auto n) { return n >= from && n < to; });
  };
  EXPECT_GE(in(0, 3000), 5);
  EXPECT_GE(in(3000, 7000), 15);
  EXPECT_GE(in(7000, 10'000), 5);
}

TEST(notable_requests, the_order_of_the_requests_does_not_matter) {
  const notable::limits limits{.slowest = 10, .drawn = 40, .size = 1000};
  auto order = ten_thousand();
  const auto expected = chosen_from(order, limits);
  std::ranges::reverse(order);
  EXPECT_EQ(chosen_from(order, limits), expected);
  std::mt19937 random(7);
  std::ranges::shuffle(order, random);
  EXPECT_EQ(chosen_from(order, limits), expected);
}

TEST(notable_requests, all_are_chosen_if_there_are_few) {
  notable some({.slowest = 2, .drawn = 2, .size = 100});
  for (const std::uint64_t n : {3U, 1U, 2U})
    some.add(n, n, 1, [] { return 0; });
  std::vector<std::uint64_t> found;
  for (const auto& each : some.take())
    found.push_back(each.sequence);
  EXPECT_THAT(found, ElementsAre(1, 2, 3));
}

TEST(notable_requests, the_sum_of_the_sizes_is_bounded_and_others_than_the_slowest_have_a_share) {
  notable some({.slowest = 100, .drawn = 100, .size = 1000});
  for (std::uint64_t n = 0; n < 2000; ++n)
    some.add(n, n, n == 1999 ? 2000 : 50, [] { return 0; });
  const auto chosen = some.take();
  EXPECT_THAT(chosen, SizeIs(20));  // without the request that is larger than all room
  EXPECT_EQ(std::ranges::count_if(chosen, [](const auto& e) { return e.sequence >= 1989; }), 10);
}

TEST(notable_requests, without_room_nothing_is_made) {
  notable none({.slowest = 0, .drawn = 0, .size = 10});
  bool made = false;
  none.add(1, 1, 1, [&] {
    made = true;
    return 0;
  });
  EXPECT_FALSE(made);
  EXPECT_THAT(none.take(), SizeIs(0));
}

TEST(notable_requests, lots_of_neighbours_are_unlike) {
  std::set<std::uint64_t> top;
  for (std::uint64_t n = 0; n < 256; ++n)
    top.insert(reporters::lot_of(n) >> 56U);
  EXPECT_GT(top.size(), 130U);
}

}  // namespace
