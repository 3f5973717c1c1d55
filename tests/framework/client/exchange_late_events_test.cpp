// The late events of an exchange: which events of a read may be older than its time.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/exchange.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// The late events as pairs of index and ns.
std::vector<std::pair<std::uint32_t, std::uint32_t>> late_events(const record& r) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const late_event& one : r.late.events)
    out.emplace_back(one.event, one.ns);
  return out;
}

class exchange_late_events : public testing::exchange_bench {};

TEST_F(exchange_late_events, the_last_event_of_a_read_has_its_stamp_and_the_others_may_be_older) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("role"), 3000, {500}), progress::more);
  EXPECT_EQ(work.unsure(), 0U);
  ASSERT_EQ(work.feed(event("one") + event(" two") + event(" three"), 4000, {700}), progress::more);
  EXPECT_EQ(work.unsure(), 700U);
  // The end of the answer may have arrived later than the last event.
  ASSERT_EQ(work.feed(event(" four") + "0\r\n\r\n", 5000, {900}), progress::done);
  EXPECT_EQ(work.unsure(), 900U);
  const record r = work.finish();
  EXPECT_THAT(late_events(r), ElementsAre(Pair(1, 700), Pair(2, 700), Pair(4, 900)));
  EXPECT_EQ(r.late.end_ns, 0U);
  EXPECT_FALSE(r.late.unknown);
}

TEST_F(exchange_late_events, an_event_followed_by_the_beginning_of_another_event_may_be_older) {
  begin();
  const std::string two = event("one") + event(" two");
  const std::size_t cut = two.size() - 4;
  ASSERT_EQ(work.feed(std::string(stream_head) + two.substr(0, cut), 3000, {500}), progress::more);
  ASSERT_EQ(work.feed(two.substr(cut), 4000, {700}), progress::more);
  // The first read contained the complete data of the second event, so the second event is the last
  // event of that read.
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500)));
}

TEST_F(exchange_late_events, an_event_whose_end_came_later_is_as_late_as_the_read_with_its_data) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + chunk("data: one\nid: 5"), 3000, {500}),
            progress::more);
  ASSERT_EQ(work.feed(chunk("\n\n"), 4000, {700}), progress::more);
  ASSERT_EQ(work.feed(chunk("data: two\n"), 5000, {300, true}), progress::more);
  ASSERT_EQ(work.feed(chunk("\n"), 6000, {900}), progress::more);
  // A comment is not part of the event after it.
  ASSERT_EQ(work.feed(chunk(": ping\n\n: p"), 7000, {400, true}), progress::more);
  ASSERT_EQ(work.feed(chunk("ing\n\n") + event(" three"), 8000, {600}), progress::more);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500), Pair(1, 300)));
}

TEST_F(exchange_late_events, an_event_without_an_end_is_as_late_as_the_read_with_its_data) {
  begin();
  ASSERT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", 2500),
            progress::more);
  ASSERT_EQ(work.feed("data: one\n", 3000, {100, true}), progress::more);
  ASSERT_EQ(work.eof(4000, 600), progress::done);
  const record r = work.finish();
  EXPECT_THAT(late_events(r), ElementsAre(Pair(0, 100)));
  EXPECT_EQ(r.late.end_ns, 600U);
}

TEST_F(exchange_late_events,
       line_endings_after_an_event_have_its_time_unless_the_read_may_span_long) {
  begin();
  constexpr std::uint64_t start = 1'000'000'000;
  ASSERT_EQ(work.feed(std::string(stream_head), start, {}), progress::more);
  ASSERT_EQ(work.feed(event("one"), 2 * start, {250'000}), progress::more);
  EXPECT_EQ(work.unsure(), 0U);
  ASSERT_EQ(work.feed(event(" two"), 3 * start, {80'000'000}), progress::more);
  EXPECT_EQ(work.unsure(), 80'000'000U);
  ASSERT_EQ(work.feed("9\r\ndata: 3\n\n", 4 * start, {80'000'000}), progress::more);
  EXPECT_EQ(work.unsure(), 0U) << "nothing is behind it";
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(1, 80'000'000)));
}

TEST_F(exchange_late_events, the_end_of_a_leg_is_kept_for_the_next_one) {
  codec.legs = 2;
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + "0\r\n\r\n", 3000, {500, true}),
            progress::another);
  EXPECT_EQ(work.late_of_leg(), 500U);
  EXPECT_EQ(work.unsure(), 0U);
}

TEST_F(exchange_late_events, no_event_is_older_than_its_request) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event(" two"), 3000, {5000}),
            progress::more);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 800)));
}

TEST_F(exchange_late_events, events_that_came_at_once_have_their_stamp) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event(" two"), 3000, {500}),
            progress::more);
  ASSERT_EQ(work.feed(event(" three") + event(" four"), 4000, {500}), progress::more);
  work.came_at_once();
  EXPECT_EQ(work.unsure(), 0U);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500)));
}

TEST_F(exchange_late_events, if_more_bytes_may_follow_a_read_all_its_events_may_be_older) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one"), 3000, {500, true}), progress::more);
  ASSERT_EQ(work.feed(event(" two"), std::uint64_t{3000} + UINT32_MAX * 2ULL, {UINT64_MAX, true}),
            progress::more);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500), Pair(1, UINT32_MAX)));
}

TEST_F(exchange_late_events, the_end_of_an_answer_that_is_not_a_stream_has_its_own_stamp) {
  for (const bool more_behind : {false, true}) {
    begin();
    ASSERT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", 3000, {500}),
              progress::more);
    ASSERT_EQ(work.feed("stop", 4000, {600, more_behind}), progress::done);
    EXPECT_EQ(work.unsure(), more_behind ? 600U : 0U);
    EXPECT_EQ(work.finish().late.end_ns, more_behind ? 600U : 0U);
  }
  begin();
  ASSERT_EQ(work.feed("HTTP/1.1 200 OK\r\n\r\nstop", 3000, {500}), progress::more);
  ASSERT_EQ(work.eof(4000, 300), progress::done);
  EXPECT_EQ(work.finish().late.end_ns, 300U) << "the end of the connection has no stamp";
}

}  // namespace
}  // namespace inferbench::client
