// Single calls of an engine, with a clock that the test moves: stamps, ends, limits, and engines
// that break the contract.
#include "client/engine_flight.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/fleet.hpp"
#include "framework/client/fake_engine.hpp"
#include "framework/transport/clocks.hpp"

namespace inferbench::client {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fake_engine;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::text_sample;

constexpr std::uint64_t second = base::ns_per_s;

class engine_flight_test : public ::testing::Test, protected flight_owner {
 protected:
  void on_prepared(flight&, bool) override {}
  void on_landed(flight& which) override { records.push_back(which.land()); }
  void on_stalled(const flight& which, const silence& so_far) override {
    stalled.push_back(which.name() + " " + std::to_string(so_far.ns / second) + " s, " +
                      std::to_string(so_far.events) + " events");
  }
  void on_heard(std::size_t, std::uint64_t) noexcept override {}
  void on_shortage() noexcept override {}
  bool tell(const std::string& line) override {
    if (hears) lines.push_back(line);
    return hears;
  }

  /// Makes the flight with the current settings of the test.
  void make() {
    loop.on_wake(transport::callback<void()>::to<&engine_flight_test::on_wake>(*this));
    fleet_.emplace(shared, loop, owner());
    subject = fleet_->make();
  }
  flight_owner& owner() { return *this; }
  void on_wake() { fleet_->collect(); }
  void turn() { loop.run_once(false); }
  /// Moves the clock on and runs the loop once.
  void pass(std::uint64_t ns) {
    clock.at += ns;
    turn();
  }

  /// Launches the flight and returns call `n`; the request is due at the time of its launch.
  fake_engine::call& launch(std::size_t n = 0) {
    if (!subject) make();
    subject->what.sample = &sample;
    subject->what.sequence = n;
    subject->what.due_ns = clock.at;
    EXPECT_EQ(subject->prepare(), flight::readiness::ready);
    subject->launch(clock.at);
    return engine.submitted(n);
  }

  transport::test::manual_clock clock;
  fake_engine engine;
  backend shared = engine.shared();
  ifb_sample sample = text_sample();
  transport::event_loop loop{clock};
  std::optional<fleet> fleet_;
  std::unique_ptr<flight> subject;  // declared last: destroyed before the fleet
  std::vector<record> records;
  std::vector<std::string> stalled;
  std::vector<std::string> lines;
  bool hears = true;
};

TEST_F(engine_flight_test, each_event_is_stamped_when_it_comes_in) {
  static const ifb_field metadata{{"row", 3}, {"7", 1}};
  sample.metadata = &metadata;
  sample.metadata_count = 1;
  sample.session = plugin::str("s");
  sample.turn = 3;
  clock.at = 5000;
  const auto& call = launch();
  EXPECT_EQ(call.sample, &sample);
  clock.at = 5100;
  call.token(" a");
  clock.at = 5150;
  call.token("");
  clock.at = 5200;
  call.token(" b");
  call.usage(11, 3);
  call.attribute("k", "v");
  clock.at = 5300;
  call.done("length");
  EXPECT_THAT(records, IsEmpty()) << "landed on the thread of the engine";
  clock.at = 9000;
  turn();
  ASSERT_EQ(records.size(), 1U);
  const record& r = records[0];
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(r.due_ns, 5000U);
  EXPECT_EQ(r.start_ns, 5000U);
  EXPECT_EQ(r.connected_ns, 5000U);
  EXPECT_EQ(r.sent_ns, 5000U);
  EXPECT_EQ(r.first_byte_ns, 5100U);
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(5100U, 5150U, 5200U));
  EXPECT_EQ(r.first_text_ns, 5100U);
  EXPECT_EQ(r.last_text_ns, 5200U);
  EXPECT_EQ(r.end_ns, 5300U);
  EXPECT_EQ(r.text, " a b");
  EXPECT_EQ(r.finish_reason, "length");
  EXPECT_EQ(r.prompt_tokens, 11);
  EXPECT_EQ(r.output_tokens, 3);
  EXPECT_EQ(r.sample_tokens, 2);
  EXPECT_EQ(r.wanted_tokens, 4);
  EXPECT_EQ(r.id, "bench-0");
  EXPECT_EQ(r.session, "s");
  EXPECT_EQ(r.turn, 3U);
  EXPECT_THAT(r.attributes, ElementsAre(Pair("row", "7"), Pair("k", "v")));
  EXPECT_EQ(r.bytes_sent + r.bytes_received + r.http_status + r.server + r.tls_ns, 0U);
  EXPECT_EQ(call.released, 1);
  EXPECT_EQ(call.cancelled, 0);
}

TEST_F(engine_flight_test, a_time_that_the_engine_states_counts_unless_it_cannot_be) {
  clock.at = 5000;
  const auto& call = launch();
  clock.at = 6000;
  call.token(" a", 4000);  // before the start
  call.token(" b", 5500);
  call.token(" c", 5400);  // before the previous event
  call.token(" d", 7000);  // in the future
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_THAT(records[0].tokens.absolute(), ElementsAre(5000U, 5500U, 5500U, 6000U));
  EXPECT_EQ(records[0].first_byte_ns, 5000U);
  EXPECT_EQ(records[0].end_ns, 6000U);
}

TEST_F(engine_flight_test, a_call_that_ends_inside_submit_lands_after_submit) {
  std::size_t landed_inside = 0;
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    clock.at += 10;
    c.token("x");
    c.done();
    turn();
    landed_inside = records.size();
    return IFB_OK;
  };
  const auto& call = launch();
  EXPECT_EQ(landed_inside + records.size(), 0U);
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_EQ(records[0].end_ns, clock.at);
  EXPECT_EQ(call.released, 1);
}

TEST_F(engine_flight_test, a_call_that_is_refused_is_a_failed_request_and_not_released) {
  engine.submits = [&](fake_engine::call&, ifb_error* error) {
    clock.at += 10;
    return testing::fake_codec::fail(error, IFB_E_UNSUPPORTED, "no pictures");
  };
  const auto& call = launch();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(records[0].error, "no pictures");
  EXPECT_EQ(records[0].end_ns, clock.at);
  EXPECT_EQ(call.released, 0);
}

TEST_F(engine_flight_test, a_refusal_after_a_reported_end_changes_nothing) {
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

TEST_F(engine_flight_test, an_odd_status_of_submit_is_a_failure_with_words) {
  engine.submits = [](fake_engine::call&, ifb_error*) { return ifb_status{IFB_MORE}; };
  launch();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_INTERNAL);
  EXPECT_EQ(records[0].error,
            "submit of backend fake returned the status 2, which this call does not have");
}

TEST_F(engine_flight_test, a_call_without_a_name_is_neither_cancelled_nor_released) {
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

TEST_F(engine_flight_test, its_arena_lasts_until_the_call_is_released_and_is_used_again) {
  const auto& first = launch(0);
  EXPECT_NE(first.arena->alloc(100), nullptr);
  EXPECT_GT(first.arena->used(), 0U);
  first.done();
  turn();
  const auto& second_call = launch(1);
  EXPECT_EQ(second_call.arena, first.arena);
  EXPECT_EQ(second_call.arena->used(), 0U);
  second_call.done();
  turn();
  EXPECT_EQ(records.size(), 2U);
}

TEST_F(engine_flight_test, reports_after_the_end_are_ignored_and_named_once) {
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

TEST_F(engine_flight_test, stamps_of_another_clock_are_moved_and_named_once) {
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

TEST_F(engine_flight_test, a_second_end_is_named_too) {
  const auto& call = launch();
  call.error(IFB_E_REMOTE, "no");
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].error, "no");
  EXPECT_THAT(lines, ElementsAre(HasSubstr("it called on_done for request 0")));
}

TEST_F(engine_flight_test, a_fault_is_reported_once_for_all_users_of_a_backend) {
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

TEST_F(engine_flight_test, a_fault_that_could_not_be_reported_is_reported_by_the_next_flight) {
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

TEST_F(engine_flight_test, a_late_event_is_not_taken_for_one_of_the_next_request) {
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

TEST_F(engine_flight_test, a_cancelled_call_learns_of_it_and_lands_with_its_end) {
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

TEST_F(engine_flight_test, a_cancel_after_the_end_changes_nothing) {
  const auto& call = launch();
  call.done();
  subject->cancel("too late", clock.at);
  EXPECT_EQ(call.cancelled, 0);
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok());
}

TEST_F(engine_flight_test, an_engine_may_end_the_call_inside_cancel) {
  engine.cancels = [](fake_engine::call& c) { c.error(IFB_E_CANCELLED, "as you wish"); };
  launch();
  subject->cancel("enough", clock.at);
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].error, "enough");
  EXPECT_THAT(lines, IsEmpty());
}

// The engine ends the call on another thread while the host is still inside cancel.
TEST_F(engine_flight_test, a_call_is_released_only_after_cancel_has_returned) {
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

TEST_F(engine_flight_test, tokens_of_older_and_newer_headers_are_read_within_their_size) {
  const auto& call = launch();
  clock.at = 2000;
  ifb_token token = IFB_TOKEN_INIT;
  token.text = plugin::str("old");
  token.struct_size = offsetof(ifb_token, data);
  // Exactly as many bytes as the older struct has, so that a sanitizer finds a read beyond them.
  const auto older = std::make_unique<std::uint64_t[]>(token.struct_size / sizeof(std::uint64_t));
  std::memcpy(older.get(), &token, token.struct_size);
  call.events->on_token(call.output, reinterpret_cast<const ifb_token*>(older.get()));
  struct {
    ifb_token known = IFB_TOKEN_INIT;
    std::uint64_t later[4] = {1, 2, 3, 4};
  } newer;
  newer.known.struct_size = sizeof newer;
  newer.known.text = plugin::str(" new");
  call.events->on_token(call.output, &newer.known);
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].text, "old new");
  EXPECT_THAT(records[0].tokens.absolute(), ElementsAre(2000U, 2000U));
}

TEST_F(engine_flight_test, output_that_is_not_text_counts_like_text) {
  const auto& call = launch();
  clock.at = 2000;
  ifb_token token = IFB_TOKEN_INIT;
  token.channel = IFB_CHANNEL_AUDIO;
  token.data = {"sound", 5};
  token.mime = "audio/wav";
  call.events->on_token(call.output, &token);
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].first_text_ns, 2000U);
  EXPECT_THAT(records[0].text_events, ElementsAre(0U, 0U, 0U, 1U));
  EXPECT_EQ(records[0].text, "");
}

TEST_F(engine_flight_test, a_call_that_does_not_end_is_named_every_ten_seconds) {
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

TEST_F(engine_flight_test, an_engine_that_set_no_call_is_reported) {
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

TEST_F(engine_flight_test, several_that_do_not_end_share_a_line) {
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

TEST_F(engine_flight_test, a_call_that_takes_too_long_is_cancelled_and_has_timed_out) {
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

TEST_F(engine_flight_test, the_first_event_is_the_first_byte_of_its_time_limit) {
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

TEST_F(engine_flight_test, a_call_that_pauses_too_long_between_two_events_times_out) {
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

TEST_F(engine_flight_test, each_silence_is_named_once) {
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

TEST_F(engine_flight_test, a_call_that_reports_more_than_the_limit_fails_and_is_cancelled) {
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

TEST_F(engine_flight_test, a_request_that_was_only_prepared_lands_without_the_engine) {
  make();
  subject->what.sample = &sample;
  EXPECT_EQ(subject->prepare(), flight::readiness::ready);
  EXPECT_EQ(subject->land().id, "bench-0");
  EXPECT_EQ(engine.count(), 0U);
}

TEST_F(engine_flight_test, events_from_two_threads_at_once_are_all_kept) {
  const auto& call = launch();
  constexpr int each = 500;
  {
    const auto report = [&] {
      for (int i = 0; i < each; ++i)
        call.token("x");
    };
    const std::jthread one(report);
    const std::jthread two(report);
  }
  call.done();
  turn();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].tokens.size(), 2U * each);
  EXPECT_EQ(records[0].text.size(), 2U * each);
}

}  // namespace
}  // namespace inferbench::client
