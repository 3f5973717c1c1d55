#include "metrics/peaks.hpp"

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

constexpr std::uint64_t s = 1'000'000'000;

TEST(second_sums, the_fullest_second_sums) {
  second_sums counts(10 * s);
  for (const std::uint64_t at : {10 * s, 10 * s + s - 1, 11 * s, 12 * s, 12 * s + 5, 12 * s + 6})
    counts.add(at, 1);
  EXPECT_EQ(counts.most(), 3);
}

TEST(second_sums, seconds_that_come_back_are_counted_on) {
  second_sums counts(0);
  counts.add(1, 1);
  counts.add(2 * s, 1);
  counts.add(2, 1);
  counts.add(3, 1);
  EXPECT_EQ(counts.most(), 3);
}

TEST(second_sums, amounts_may_be_parts) {
  second_sums tokens(0);
  for (const std::uint64_t at : {0 * s, 1 * s, 1 * s + 1, 1 * s + 2})
    tokens.add(at, 1.25);
  EXPECT_EQ(tokens.most(), 3.75);
}

TEST(second_sums, nothing_is_zero) { EXPECT_EQ(second_sums(7).most(), 0); }

std::uint64_t most_in_one_second(const std::vector<span>& spans) {
  second_spans seconds(0);
  for (const span& each : spans)
    seconds.add(each);
  return seconds.most();
}

TEST(second_spans, three_short_requests_one_after_another_count_three) {
  const std::vector<span> spans = {{0, s / 5}, {s / 5, 2 * s / 5}, {2 * s / 5, 3 * s / 5}};
  EXPECT_EQ(most_in_one_second(spans), 3U);
  EXPECT_EQ(most_at_once(spans).count, 1U);
}

TEST(second_spans, a_request_counts_in_the_second_in_which_it_ends) {
  // The first request ends exactly at the beginning of second 1, so it counts in second 1.
  EXPECT_EQ(most_in_one_second({{0, s}, {s + 5, s + 6}}), 2U);
  EXPECT_EQ(most_in_one_second({{0, s - 1}, {s + 5, s + 6}}), 1U);
}

TEST(second_spans, a_request_that_lasts_counts_in_every_second_between) {
  EXPECT_EQ(most_in_one_second({{0, 200 * s}, {100 * s, 101 * s}, {103 * s, 103 * s}}), 2U);
  EXPECT_EQ(most_in_one_second({{90 * s, 40 * s}}), 1U);  // ends at the start instead
  EXPECT_EQ(most_in_one_second({}), 0U);
}

TEST(second_curves, have_a_value_for_each_second_up_to_the_last_request) {
  second_sums events(0);
  second_spans requests(0);
  for (const span& each : {span{0, 3 * s}, span{2 * s, 2 * s + 1}, span{5 * s, 5 * s}})
    requests.add(each);
  for (const std::uint64_t at : {0 * s, 1 * s, 1 * s + 7, 5 * s, 9 * s})
    events.add(at, 1);
  const second_curves curves = curves_of(events, requests);
  EXPECT_EQ(curves.step, 1U);
  EXPECT_EQ(curves.requests, (std::vector<std::uint64_t>{1, 1, 2, 1, 0, 1}));
  EXPECT_EQ(curves.events, (std::vector<std::uint64_t>{1, 2, 0, 0, 0, 1}));
  const second_curves none = curves_of(second_sums(0), second_spans(0));
  EXPECT_TRUE(none.events.empty() && none.requests.empty());
}

TEST(second_curves, have_at_most_128_values_with_the_peaks_also_after_a_jump_of_the_clock) {
  second_sums events(0);
  second_spans requests(0);
  for (const span& each : {span{0, 700 * s}, span{699 * s, 699 * s}, span{127 * s, 128 * s}})
    requests.add(each);
  events.add(699 * s, 4);
  second_curves curves = curves_of(events, requests);
  EXPECT_EQ(curves.step, 8U);
  ASSERT_EQ(curves.requests.size(), 88U);
  EXPECT_EQ(curves.requests[15], 2U);
  EXPECT_EQ(curves.requests[16], 2U);
  EXPECT_EQ(curves.requests[17], 1U);
  EXPECT_EQ(curves.events[87], 4U);
  EXPECT_EQ(curves.events[86], 0U);
  requests.add({1'000'000'000 * s, 1'000'000'001 * s});
  curves = curves_of(events, requests);
  EXPECT_EQ(curves.step, 8'388'608U);
  EXPECT_EQ(curves.requests.size(), 120U);
  EXPECT_EQ(curves.requests.back(), 1U);
  EXPECT_EQ(curves.events.front(), 4U);
}

TEST(second_spans, seconds_count_from_the_origin_and_earlier_times_are_in_the_first_second) {
  second_spans seconds(10 * s);
  seconds.add({3 * s, 4 * s});
  seconds.add({10 * s, 10 * s + 1});
  seconds.add({11 * s, 11 * s});
  EXPECT_EQ(seconds.most(), 2U);
}

TEST(second_table, costs_ten_bytes_a_second_and_nothing_for_a_gap) {
  second_sums dense(0);
  for (std::uint64_t second = 0; second < 86'400; ++second)
    dense.add(second * s, 1);
  EXPECT_LE(dense.bytes(), 86'400U * 10);
  second_sums sparse(0);
  sparse.add(1, 1);
  sparse.add(31'536'000 * s, 1);
  EXPECT_EQ(sparse.most(), 1);
  EXPECT_LE(sparse.bytes(), 1024U);
}

TEST(most_at_once, an_end_makes_room_for_a_start_of_the_same_instant) {
  EXPECT_EQ(most_at_once({{0, 10}, {10, 20}}).count, 1U);
  EXPECT_EQ(most_at_once({{0, 11}, {10, 20}}).count, 2U);
}

TEST(most_at_once, the_first_moment_of_the_peak_is_reported) {
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
