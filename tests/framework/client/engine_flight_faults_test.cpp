// Engines that break the contract, and the messages about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/fleet.hpp"
#include "client/flight.hpp"
#include "framework/client/engine_flight_bench.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/fake_engine.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_engine;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class engine_flight_faults_test : public testing::engine_flight_bench {};

TEST_F(engine_flight_faults_test, a_refusal_after_a_reported_end_changes_nothing) {
  engine.submits = [&](fake_engine::call& c, ifb_error* error) {
    c.error(IFB_E_REMOTE, "the model said no");
    return testing::fake_codec::fail(error, IFB_E_IO, "other words");
  };
  launch();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_REMOTE);
  EXPECT_EQ(records[0].error, "the model said no");
}

TEST_F(engine_flight_faults_test, an_odd_status_of_submit_is_a_failure_with_words) {
  engine.submits = [](fake_engine::call&, ifb_error*) { return ifb_status{IFB_MORE}; };
  launch();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_INTERNAL);
  EXPECT_EQ(records[0].error,
            "submit of backend fake returned the status 2, which this call does not have");
}

TEST_F(engine_flight_faults_test, reports_after_the_end_are_ignored_and_named_once) {
  const auto& call = launch();
  call.token("a");
  call.done();
  call.token("b");
  call.attribute("k", "v");
  call.done("again");
  turn();
  call.error(IFB_E_IO, "and again");
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_EQ(records[0].text, "a");
  EXPECT_EQ(records[0].finish_reason, "stop");
  EXPECT_THAT(records[0].attributes, IsEmpty());
  EXPECT_EQ(call.released, 1);
  EXPECT_THAT(lines, ElementsAre("backend fake is at fault: it called on_token for request 0 after "
                                 "its end; such calls are ignored; report it to the "
                                 "plugin's author"));
}

TEST_F(engine_flight_faults_test, stamps_of_another_clock_are_moved_and_named_once) {
  clock.at = 5'000;
  const auto& call = launch();
  clock.at = 7'000;
  call.token("a", 6'000);
  turn();
  EXPECT_THAT(lines, IsEmpty());
  call.token("b", 4'000);
  call.token("c", 8'000);
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  ASSERT_EQ(records[0].tokens.size(), 3U);
  EXPECT_EQ(records[0].text, "abc");
  EXPECT_THAT(
      lines,
      ElementsAre(
          "backend fake is at fault: it stamped a token of request 0 with a time "
          "before submit or in the future, so the time is not from the host's clock; "
          "such times are replaced by the nearest valid time; report it to the plugin's author"));
}

TEST_F(engine_flight_faults_test, a_second_end_is_named_too) {
  const auto& call = launch();
  call.error(IFB_E_REMOTE, "no");
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].error, "no");
  EXPECT_THAT(lines, ElementsAre(HasSubstr("it called on_done for request 0")));
}

TEST_F(engine_flight_faults_test, a_fault_is_reported_once_for_all_users_of_a_backend) {
  const auto& call = launch();
  call.done();
  call.done();
  turn();
  backend copy = shared;
  fleet other(copy, loop, owner());
  const auto beside = other.make();
  beside->what.sample = &sample;
  EXPECT_EQ(beside->prepare(), flight::readiness::ready);
  beside->launch(clock.at);
  engine.submitted(1).done();
  engine.submitted(1).done();
  other.collect();
  EXPECT_EQ(records.size(), 2U);
  EXPECT_EQ(lines.size(), 1U);
}

TEST_F(engine_flight_faults_test,
       a_fault_that_could_not_be_reported_is_reported_by_the_next_flight) {
  hears = false;
  const auto& call = launch();
  call.done();
  call.done();
  turn();
  EXPECT_THAT(lines, IsEmpty());
  hears = true;
  call.done();
  turn();
  EXPECT_EQ(lines.size(), 1U);
}

TEST_F(engine_flight_faults_test, a_late_event_is_not_taken_for_one_of_the_next_request) {
  const auto& first = launch(0);
  first.done();
  turn();
  const auto& next = launch(1);
  first.token("late");
  first.done();
  turn();
  EXPECT_EQ(records.size(), 1U);
  next.token("mine");
  next.done();
  turn();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].text, "mine");
  EXPECT_EQ(records[1].tokens.size(), 1U);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("for request 0 after its end")));
}

}  // namespace
}  // namespace inferbench::client
