#include "experiment/run_order.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::experiment {
namespace {

using order = sweep::plan::order;

/// "A0 A1 B0": combination A, run 0, and so on.
std::string letters_of(const std::vector<planned_run>& runs) {
  std::string out;
  for (const planned_run& each : runs) {
    out += out.empty() ? "" : " ";
    out += static_cast<char>('A' + each.combination);
    out += std::to_string(each.run_number);
  }
  return out;
}

TEST(run_order, as_upstream_is_one_combination_after_the_other) {
  EXPECT_EQ(letters_of(ordered_runs(3, 2, order::upstream, 0, 0)), "A0 A1 B0 B1 C0 C1");
}

TEST(run_order, abba_turns_round_at_each_repetition) {
  EXPECT_EQ(letters_of(ordered_runs(3, 3, order::abba, 0, 0)), "A0 B0 C0 C1 B1 A1 A2 B2 C2");
  EXPECT_EQ(letters_of(ordered_runs(2, 2, order::abba, 0, 0)), "A0 B0 B1 A1");
}

TEST(run_order, abba_of_two_repetitions_gives_all_combinations_the_same_mean_place) {
  const auto runs = ordered_runs(5, 2, order::abba, 0, 0);
  std::vector<std::size_t> places(5);
  for (std::size_t i = 0; i < runs.size(); ++i)
    places[runs[i].combination] += i;
  EXPECT_EQ(places, std::vector<std::size_t>(5, places.front()));
}

TEST(run_order, shuffled_has_every_run_once) {
  auto shuffled = ordered_runs(7, 3, order::shuffled, 4, 2);
  EXPECT_EQ(shuffled.size(), 21U);
  for (const planned_run& each : ordered_runs(7, 3, order::upstream, 0, 0))
    EXPECT_EQ(std::ranges::count(shuffled, each), 1);
}

TEST(run_order, shuffled_depends_on_seed_and_server_only) {
  const auto shuffled = [](std::uint64_t seed, std::size_t server) {
    return letters_of(ordered_runs(7, 3, order::shuffled, seed, server));
  };
  EXPECT_EQ(shuffled(4, 2), shuffled(4, 2));
  EXPECT_NE(shuffled(4, 2), shuffled(4, 1));
  EXPECT_NE(shuffled(4, 2), shuffled(5, 2));
  EXPECT_NE(shuffled(1, 0), shuffled((1ULL << 32U) + 1, 0));
}

TEST(run_order, shuffled_is_the_same_on_every_machine) {
  EXPECT_EQ(letters_of(ordered_runs(3, 2, order::shuffled, 1, 0)), "A0 B0 A1 C0 C1 B1");
}

TEST(run_order, has_no_run_without_a_combination) {
  for (const order each : {order::upstream, order::shuffled, order::abba})
    EXPECT_TRUE(ordered_runs(0, 3, each, 1, 0).empty());
}

}  // namespace
}  // namespace inferbench::experiment
