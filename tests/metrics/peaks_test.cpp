#include "metrics/peaks.hpp"

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

constexpr std::uint64_t s = 1'000'000'000;

TEST(second_counts, the_fullest_second_counts) {
  second_counts counts(10 * s);
  for (const std::uint64_t at : {10 * s, 10 * s + s - 1, 11 * s, 12 * s, 12 * s + 5, 12 * s + 6})
    counts.add(at);
  EXPECT_EQ(counts.most(), 3U);
}

TEST(second_counts, seconds_that_come_back_are_counted_on) {
  second_counts counts(0);
  counts.add(1);
  counts.add(2 * s);
  counts.add(2);
  counts.add(3);
  EXPECT_EQ(counts.most(), 3U);
}

TEST(second_counts, nothing_is_zero) { EXPECT_EQ(second_counts(7).most(), 0U); }

TEST(second_counts, a_year_between_two_events_costs_no_memory) {
  second_counts counts(0);
  counts.add(1);
  counts.add(31'536'000 * s);
  EXPECT_EQ(counts.most(), 1U);
}

TEST(most_in_one_second, three_short_requests_one_after_another_count_three) {
  const std::vector<span> spans = {{0, s / 5}, {s / 5, 2 * s / 5}, {2 * s / 5, 3 * s / 5}};
  EXPECT_EQ(most_in_one_second(spans, 0), 3U);
  EXPECT_EQ(most_at_once(spans).count, 1U);
}

TEST(most_in_one_second, a_request_counts_in_the_second_in_which_it_ends) {
  // The first ends exactly when second 1 begins, so it touches it.
  EXPECT_EQ(most_in_one_second({{0, s}, {s + 5, s + 6}}, 0), 2U);
  EXPECT_EQ(most_in_one_second({{0, s - 1}, {s + 5, s + 6}}, 0), 1U);
}

TEST(most_at_once, an_end_makes_room_for_a_start_of_the_same_instant) {
  EXPECT_EQ(most_at_once({{0, 10}, {10, 20}}).count, 1U);
  EXPECT_EQ(most_at_once({{0, 11}, {10, 20}}).count, 2U);
}

TEST(most_at_once, the_first_moment_of_the_peak_is_told) {
  const peak p = most_at_once({{0, 100}, {40, 50}, {60, 70}});
  EXPECT_EQ(p.count, 2U);
  EXPECT_EQ(p.at, 40U);
}

TEST(most_at_once, an_empty_span_is_there_for_its_instant) {
  EXPECT_EQ(most_at_once({{5, 5}}).count, 1U);
  EXPECT_EQ(most_at_once({{0, 10}, {5, 5}}).count, 2U);
  EXPECT_EQ(most_at_once({}).count, 0U);
}

}  // namespace
}  // namespace inferbench::metrics
