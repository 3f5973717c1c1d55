#include "compare/run_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using comparison::compared_block;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

run_group group_of_places(const std::vector<block_place>& places) {
  run_group out{"g", {}};
  for (const block_place& each : places) {
    out.runs.emplace_back();
    out.runs.back().place = each;
  }
  return out;
}

/// The groups A and B whose runs started in this order.
std::pair<run_group, run_group> groups_started(const std::string& order) {
  std::pair<run_group, run_group> out{{"a", {}}, {"b", {}}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    run_group& to = order[i] == 'A' ? out.first : out.second;
    to.runs.emplace_back();
    to.runs.back().started_unix_ns = static_cast<std::int64_t>(i) + 1;
  }
  return out;
}

std::string refusal_of_order(const std::string& order, std::size_t count) {
  const auto [a, b] = groups_started(order);
  const run_box box;
  return box.refusal([&, &first = a, &second = b] { (void)blocks_by_start(first, second, count); });
}

TEST(blocks, are_found_by_the_places_that_the_runs_state) {
  const found_blocks found = blocks_by_place(
      group_of_places({{"c", 0, 1, 1}, {"c", 0, 0, 0}, {"c", 0, 0, 1}, {"c", 0, 1, 0}}),
      group_of_places({{"c", 1, 0, 0}, {"c", 1, 1, 0}, {"c", 1, 0, 1}, {"c", 1, 1, 1}}));
  EXPECT_THAT(found.blocks,
              ElementsAre(compared_block{{1, 2}, {0, 2}}, compared_block{{3, 0}, {1, 3}}));
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST(blocks, that_are_not_complete_are_left_out) {
  const found_blocks found =
      blocks_by_place(group_of_places({{"c", 0, 0, 0}, {"c", 0, 0, 1}, {"c", 0, 1, 0}}),
                      group_of_places({{"c", 1, 0, 0}, {"c", 1, 0, 1}}));
  EXPECT_THAT(found.blocks, ElementsAre(compared_block{{0, 1}, {0, 1}}));
  EXPECT_THAT(found.notes, ElementsAre("1 block is not complete, so its runs are left out"));
}

TEST(blocks, are_none_if_the_runs_do_not_belong_together) {
  const run_group a = group_of_places({{"c", 0, 0, 0}, {"c", 0, 0, 1}});
  EXPECT_THAT(blocks_by_place(a, group_of_places({{"d", 1, 0, 0}, {"d", 1, 0, 1}})).blocks,
              IsEmpty());
  EXPECT_THAT(blocks_by_place(a, group_of_places({{"c", 1, 0, 0}, {"c", 0, 0, 1}})).blocks,
              IsEmpty());
  EXPECT_THAT(blocks_by_place(a, group_of_places({{"c", 1, 0, 0}, {"c", 1, 0, 0}})).blocks,
              IsEmpty());
  run_group other{"g", {}};
  other.runs.resize(2);
  EXPECT_THAT(blocks_by_place(a, other).blocks, IsEmpty());
}

TEST(blocks, of_other_programs_follow_from_the_order_of_the_starts) {
  const auto [a, b] = groups_started("ABBABAAB");
  EXPECT_THAT(blocks_by_start(a, b, 2),
              ElementsAre(compared_block{{0, 1}, {0, 1}}, compared_block{{2, 3}, {2, 3}}));
}

TEST(blocks, with_another_order_are_refused) {
  EXPECT_THAT(refusal_of_order("ABBAAABB", 2),
              HasSubstr("block 2 was made in the order AABB, and not ABBA"));
  EXPECT_THAT(refusal_of_order("ABAB", 1), HasSubstr("block 1"));
  EXPECT_THAT(refusal_of_order("ABBA", 2),
              HasSubstr("--blocks: 2 blocks need 4 runs of a, and it has 2"));
  run_group undated{"u", {}};
  undated.runs.resize(2);
  const auto [a, b] = groups_started("ABBA");
  const run_box box;
  EXPECT_THAT(box.refusal([&, &first = a] { (void)blocks_by_start(first, undated, 1); }),
              HasSubstr("does not say when its run began"));
}

}  // namespace
}  // namespace inferbench::compare
