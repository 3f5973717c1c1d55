// The limits of an engine's calls: time, size and silence.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/client/engine_flight_bench.hpp"

namespace inferbench::client {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class engine_flight_limits_test : public testing::engine_flight_bench {};

TEST_F(engine_flight_limits_test, a_call_that_takes_too_long_is_cancelled_and_has_timed_out) {
  shared.request_timeout_ns = 10 * second;
  const auto& call = launch();
  pass(5 * second);
  call.token("a");
  pass(5 * second);
  EXPECT_EQ(call.cancelled, 1);
  EXPECT_THAT(records, IsEmpty());
  clock.at += second;
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_TIMEOUT);
  EXPECT_EQ(records[0].error, "no complete answer after 10 s");
  EXPECT_EQ(records[0].end_ns, 1000 + 10 * second);
}

TEST_F(engine_flight_limits_test, the_first_event_is_the_first_byte_of_its_time_limit) {
  shared.first_byte_timeout_ns = 2 * second;
  const auto& first = launch(0);
  pass(second);
  first.usage(1, -1);
  pass(10 * second);
  EXPECT_EQ(first.cancelled, 0);
  first.done();
  turn();
  const auto& next = launch(1);
  pass(2 * second);
  EXPECT_EQ(next.cancelled, 1);
  next.done();
  turn();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_THAT(records[1].error, HasSubstr("--first-byte-timeout"));
}

TEST_F(engine_flight_limits_test, a_call_that_pauses_too_long_between_two_events_times_out) {
  shared.idle_timeout_ns = 2 * second;
  const auto& call = launch();
  for (int i = 0; i < 3; ++i) {
    pass(second);
    call.token("a");
  }
  turn();
  EXPECT_EQ(call.cancelled, 0);
  pass(second);
  EXPECT_EQ(call.cancelled, 0);
  pass(second);
  EXPECT_EQ(call.cancelled, 1);
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].error, "the answer stood still for 2 s after 3 events (--idle-timeout)");
}

TEST_F(engine_flight_limits_test, each_silence_is_named_once) {
  shared.stall_warning_ns = 3 * second;
  const auto& call = launch();
  pass(3 * second);
  pass(3 * second);
  pass(3 * second);
  EXPECT_THAT(stalled, ElementsAre("request 0 (bench-0) 3 s, 0 events"));
  call.token("a");
  pass(3 * second);
  EXPECT_EQ(stalled.size(), 2U);
  EXPECT_THAT(stalled.back(), HasSubstr("1 events"));
  call.done();
  turn();
  pass(10 * second);
  EXPECT_EQ(stalled.size(), 2U);
}

TEST_F(engine_flight_limits_test, a_call_that_reports_more_than_the_limit_fails_and_is_cancelled) {
  shared.max_answer = 100;
  const auto& call = launch();
  call.token(std::string(60, 'a'));
  clock.at = 2000;
  call.token(std::string(60, 'b'));
  call.token("c");
  turn();
  EXPECT_EQ(call.cancelled, 1);
  EXPECT_THAT(records, IsEmpty());
  call.attribute("k", std::string(200, 'v'));
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_PROTOCOL);
  EXPECT_THAT(records[0].error,
              AllOf(HasSubstr("the kept part of the answer"), HasSubstr("--max-answer")));
  EXPECT_EQ(records[0].end_ns, 2000U);
  EXPECT_EQ(records[0].text.size(), 60U);
  EXPECT_EQ(call.cancelled, 1);
  EXPECT_THAT(lines, IsEmpty());
}

}  // namespace
}  // namespace inferbench::client
