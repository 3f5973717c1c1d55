// Single calls of an engine, with a clock that the test moves: submit, the stamps of events, and
// the output.
#include "client/engine_flight.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/client/engine_flight_bench.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/fake_engine.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_engine;
using ::testing::IsEmpty;
using ::testing::Pair;

class engine_flight_test : public testing::engine_flight_bench {};

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
