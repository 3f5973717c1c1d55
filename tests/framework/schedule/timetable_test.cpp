#include "schedule/timetable.hpp"

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/schedule/shapes.hpp"

namespace inferbench::schedule {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

std::vector<std::uint64_t> first_times(const pace& of, std::uint64_t count) {
  const timetable table = timetable::without_end(of);
  timetable_walk walk(table);
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; i < count; ++i)
    out.push_back(walk.at(i));
  return out;
}

TEST(timetable, without_times_means_that_the_samples_have_them) {
  EXPECT_TRUE(timetable().empty());
  EXPECT_TRUE(timetable(std::vector<std::uint64_t>{}).empty());
  EXPECT_FALSE(timetable(std::vector<std::uint64_t>{0}).empty());
  EXPECT_FALSE(timetable::without_end({constant{3}, 1, 0}).empty());
}

TEST(timetable, of_a_known_number_of_requests_is_read_in_any_order) {
  const timetable table({5, 7, 11});
  timetable_walk walk(table);
  EXPECT_EQ(walk.at(2), 11U);
  EXPECT_EQ(walk.at(0), 5U);
  EXPECT_FALSE(walk.over(2));
  EXPECT_TRUE(walk.over(3));
  EXPECT_THAT(table.times(), ElementsAre(5, 7, 11));
}

// Only the times of `constant` differ from those of a run with a number: they are not stretched.
TEST(timetable, without_an_end_has_the_times_of_due_times_for_patterns_over_time) {
  for (const double burstiness : {0.5, 1.0, 4.0, double{INFINITY}})
    for (const pattern& traffic : {pattern(wave), pattern(stairs)}) {
      const pace of{traffic, burstiness, 7};
      EXPECT_EQ(first_times(of, 1000), due_times(of, 1000));
    }
  EXPECT_THAT(first_times({at_once{}, 1, 0}, 20), Each(0));
}

TEST(timetable, without_an_end_has_the_gaps_of_a_ramp_that_stays_at_its_rate) {
  for (const double burstiness : {0.5, 1.0, double{INFINITY}})
    EXPECT_EQ(first_times({constant{10}, burstiness, 3}, 500),
              due_times({ramp{false, 10, 10}, burstiness, 3}, 500));
}

TEST(timetable, the_walk_may_ask_for_a_time_again_and_pass_over_times) {
  const pace of{constant{10}, 1, 3};
  const auto expected = first_times(of, 50);
  const timetable table = timetable::without_end(of);
  timetable_walk walk(table);
  for (const std::uint64_t n : {0U, 0U, 1U, 7U, 7U, 49U})
    EXPECT_EQ(walk.at(n), expected[n]);
  EXPECT_FALSE(walk.over(1'000'000));
}

TEST(timetable, several_walks_see_the_same_times) {
  const timetable table = timetable::without_end({wave, 1, 1});
  timetable_walk first(table);
  EXPECT_EQ(first.at(100), timetable_walk(table).at(100));
}

TEST(timetable, a_time_that_no_run_reaches_is_never) {
  const timetable table = timetable::without_end({constant{1e-300}, 1, 0});
  timetable_walk walk(table);
  EXPECT_EQ(walk.at(0), never);
  EXPECT_EQ(walk.at(1), never);
  EXPECT_EQ(table.due_before(never - 1), 0U);
  EXPECT_EQ(first_times({steps{{{0, 1e-300}}}, INFINITY, 0}, 2).back(), never);
}

TEST(timetable, a_ramp_needs_the_number_of_its_requests) {
  try {
    std::ignore = timetable::without_end({ramp{false, 1, 9}, 1, 0});
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "the rates of a ramp-up depend on the number of requests; give --num-prompts");
  }
}

TEST(timetable, requests_that_are_due_at_the_start_are_counted) {
  EXPECT_EQ(timetable().at_start(), 0U);
  EXPECT_EQ(timetable({0, 0, 3}).at_start(), 2U);
  EXPECT_EQ(timetable::without_end({constant{3}, 1, 0}).at_start(), 0U);
  EXPECT_EQ(timetable::without_end({at_once{}, 1, 0}).at_start(), SIZE_MAX);
}

TEST(timetable, requests_that_are_due_before_a_time_are_counted) {
  const timetable three({0, 5, 7});
  EXPECT_EQ(three.due_before(0), 0U);
  EXPECT_EQ(three.due_before(5), 1U);
  EXPECT_EQ(three.due_before(6), 2U);
  EXPECT_EQ(three.due_before(never), 3U);
  const timetable even = timetable::without_end({constant{10}, INFINITY, 0});
  EXPECT_EQ(even.due_before(0), 0U);
  EXPECT_EQ(even.due_before(100'000'000), 0U);
  EXPECT_EQ(even.due_before(100'000'001), 1U);
  EXPECT_EQ(even.due_before(3'050'000'000), 30U);
  EXPECT_EQ(timetable::without_end({at_once{}, 1, 0}).due_before(never), 0U);
}

}  // namespace
}  // namespace inferbench::schedule
