// Calls of an engine that are cancelled, and cancelled calls that do not end.
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/flight.hpp"
#include "framework/client/engine_flight_bench.hpp"
#include "framework/client/fake_engine.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_engine;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class engine_flight_cancel_test : public testing::engine_flight_bench {};

TEST_F(engine_flight_cancel_test, a_call_without_a_name_is_neither_cancelled_nor_released) {
  engine.names_calls = false;
  const auto& call = launch();
  subject->cancel("enough", clock.at);
  turn();
  EXPECT_THAT(records, IsEmpty());
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(call.cancelled + call.released, 0);
}

TEST_F(engine_flight_cancel_test, a_cancelled_call_learns_of_it_and_lands_with_its_end) {
  const auto& call = launch();
  clock.at = 2000;
  call.token("a");
  clock.at = 3000;
  subject->cancel("cancelled: the run was stopped", clock.at);
  EXPECT_EQ(call.cancelled, 1);
  turn();
  EXPECT_THAT(records, IsEmpty());
  clock.at = 4000;
  call.token("b");
  call.attribute("k", "v");
  subject->cancel("once more", clock.at);
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(records[0].error, "cancelled: the run was stopped");
  EXPECT_EQ(records[0].end_ns, 3000U);
  EXPECT_EQ(records[0].text, "a");
  EXPECT_THAT(records[0].attributes, IsEmpty());
  EXPECT_EQ(subject->over_ns, 4000U);
  EXPECT_EQ(call.cancelled, 1);
  EXPECT_EQ(call.released, 1);
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(engine_flight_cancel_test, a_cancel_after_the_end_changes_nothing) {
  const auto& call = launch();
  call.done();
  subject->cancel("too late", clock.at);
  EXPECT_EQ(call.cancelled, 0);
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok());
}

TEST_F(engine_flight_cancel_test, an_engine_may_end_the_call_inside_cancel) {
  engine.cancels = [](fake_engine::call& c) { c.error(IFB_E_CANCELLED, "as you wish"); };
  launch();
  subject->cancel("enough", clock.at);
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].error, "enough");
  EXPECT_THAT(lines, IsEmpty());
}

// The engine ends the call on another thread while the host is still inside cancel.
TEST_F(engine_flight_cancel_test, a_call_is_released_only_after_cancel_has_returned) {
  int released_inside = -1;
  engine.cancels = [&](fake_engine::call& c) {
    std::thread([&] { c.error(IFB_E_CANCELLED, "as you wish"); }).join();
    released_inside = c.released;
  };
  const auto& call = launch();
  subject->cancel("enough", clock.at);
  EXPECT_EQ(released_inside, 0);
  turn();
  EXPECT_EQ(call.released, 1);
  EXPECT_EQ(call.cancelled, 1);
  EXPECT_EQ(records.size(), 1U);
}

TEST_F(engine_flight_cancel_test, a_call_that_does_not_end_is_named_every_ten_seconds) {
  const auto& call = launch(0);
  pass(second);
  subject->cancel("enough", clock.at);
  pass(9 * second);
  EXPECT_THAT(lines, IsEmpty());
  pass(second);
  EXPECT_THAT(lines, ElementsAre("backend fake has not ended request 0 (bench-0) 10 s after it was "
                                 "cancelled; the run waits for it"));
  pass(9 * second);
  EXPECT_EQ(lines.size(), 1U);
  pass(second);
  EXPECT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines.back(), HasSubstr("20 s after"));
  call.done();
  turn();
  pass(60 * second);
  EXPECT_EQ(lines.size(), 2U);
  EXPECT_EQ(records.size(), 1U);
}

TEST_F(engine_flight_cancel_test, an_engine_that_set_no_call_is_reported) {
  engine.names_calls = false;
  launch();
  subject->cancel("enough", clock.at);
  for (int i = 0; i < 10; ++i)
    pass(second);
  EXPECT_THAT(lines,
              ElementsAre(HasSubstr("10 s after it was cancelled, and has handed out no call "
                                    "to cancel; the run waits for it")));
  engine.submitted(0).done();
  turn();
  EXPECT_EQ(records.size(), 1U);
}

TEST_F(engine_flight_cancel_test, several_that_do_not_end_share_a_line) {
  launch(0);
  const auto other = fleet_->make();
  other->what = job{nullptr, &sample, 1, clock.at};
  EXPECT_EQ(other->prepare(), flight::readiness::ready);
  other->launch(clock.at);
  subject->cancel("enough", clock.at);
  other->cancel("enough", clock.at);
  pass(10 * second);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("request 0 (bench-0) and 1 more 10 s after")));
  engine.submitted(0).done();
  engine.submitted(1).done();
  turn();
  EXPECT_EQ(records.size(), 2U);
}

}  // namespace
}  // namespace inferbench::client
