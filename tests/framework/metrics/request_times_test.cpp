// The times in a record that figures are computed from.
#include "metrics/request_times.hpp"

#include <gtest/gtest.h>

#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::at_ms;
using testing_::failure;
using testing_::late;
using testing_::success;

constexpr request_kind streamed{.pooling = false, .paced = true};
constexpr request_kind pooled{.pooling = true, .paced = true};

TEST(limited_count, keeps_counts_of_one_request_in_32_bits) {
  EXPECT_EQ(limited_count(-1), 0U);
  EXPECT_EQ(limited_count(7), 7U);
  EXPECT_EQ(limited_count(UINT32_MAX), UINT32_MAX);
  EXPECT_EQ(limited_count(INT64_MAX), UINT32_MAX);
}

TEST(request_times, missing_stamps_make_no_latency) {
  client::record r = success({0, 0, 10, {100, 130}, 0, 1, 2});
  r.first_text_ns = 0;
  const request_times times = times_of(r, streamed);
  EXPECT_TRUE(times.has(arrival::first));
  EXPECT_FALSE(times.has(arrival::first_text));
  EXPECT_EQ(times.from_start(arrival::first_text), std::nullopt);
  EXPECT_EQ(times.from_due(arrival::first_answer), std::nullopt);
  EXPECT_EQ(times.part(arrival::first, arrival::first_text, 1), std::nullopt);
}

TEST(request_times, a_stream_without_events_ends_at_its_start) {
  const request_times times = times_of(success({0, 0, 10, {}, 500, 1, 1}), streamed);
  EXPECT_EQ(times.at(arrival::first), at_ms(10));
  EXPECT_EQ(times.from_start(arrival::last)->value_ms(), 0);
}

TEST(request_times, a_pooling_answer_has_an_end_and_nothing_before) {
  const request_times times = times_of(success({0, 0, 10, {}, 50, 1, 0}), pooled);
  EXPECT_EQ(times.from_start(arrival::last)->value_ms(), 40);
  EXPECT_FALSE(times.has(arrival::first));
}

TEST(request_times, of_a_failure_only_the_sending_is_known) {
  client::record r = failure({0, 0, 10, {100}, 140, 1, 0}, IFB_E_IO, 200, "ended early");
  const request_times times = times_of(r, streamed);
  EXPECT_EQ(times.sent_after_due()->value_ms(), 10);
  EXPECT_EQ(times.waited(), std::nullopt);
  EXPECT_EQ(times.from_start(arrival::first), std::nullopt);
  r.sent_ns = 0;
  EXPECT_EQ(times_of(r, streamed).sent_after_due(), std::nullopt);
}

TEST(request_times, the_turn_counts_from_1_and_0_means_no_session) {
  client::record r = success({0, 0, 10, {100}, 140, 1, 1});
  r.turn = 5;
  EXPECT_EQ(times_of(r, streamed).turn, 0);
  r.session = "s";
  EXPECT_EQ(times_of(r, streamed).turn, 6);
  r.status = IFB_E_REMOTE;
  EXPECT_EQ(times_of(r, pooled).turn, 6);
  for (const std::uint32_t large : {65'534U, 65'535U, 4'294'967'295U}) {
    r.turn = large;
    EXPECT_EQ(times_of(r, streamed).turn, 65'535);
  }
}

TEST(request_times, a_late_launch_counts_where_requests_are_paced) {
  const client::record r = late(success({0, 0, 10, {100}, 0, 1, 2}), {.launch = 3});
  EXPECT_EQ(times_of(r, streamed).waited()->too_long, 3'000'000U);
  EXPECT_EQ(times_of(r, {.pooling = false, .paced = false}).waited()->too_long, 0U);
}

TEST(request_times, the_latest_of_the_events_that_share_the_stamp_of_the_first_text_counts) {
  const client::record r =
      late(success({0, 0, 0, {100, 100, 120}, 0, 1, 3}), {.events = {{0, 1}, {1, 5}, {2, 9}}});
  const request_times times = times_of(r, streamed);
  EXPECT_EQ(times.from_start(arrival::first)->too_long, 1'000'000U);
  EXPECT_EQ(times.from_start(arrival::first_text)->too_long, 5'000'000U);
  EXPECT_EQ(times.from_start(arrival::last)->too_long, 9'000'000U);
}

}  // namespace
}  // namespace inferbench::metrics
