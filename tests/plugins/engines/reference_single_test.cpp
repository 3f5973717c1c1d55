// Single requests to the reference engine.
#include <future>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_host.hpp"
#include "engines/reference-engine/reference_plugin.hpp"

namespace reference_engine {
namespace {

using engine_test::engine_host;
using engine_test::failure_of;
using engine_test::message_of;
using engine_test::text_batch;
using std::chrono::hours;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// The events of one request; its end can be waited for.
struct heard_single {
  heard_single() {
    table.struct_size = sizeof table;
    table.on_token = [](ifb_output* to, const ifb_token* t) {
      of(to).words.emplace_back(ifb::view(t->text));
      of(to).stamps.push_back(t->at);
    };
    table.on_usage = [](ifb_output* to, const ifb_usage* u) {
      of(to).usage = {u->prompt_tokens, u->output_tokens};
    };
    table.on_attribute = [](ifb_output*, ifb_str, ifb_str) {};
    table.on_done = [](ifb_output* to, const ifb_done* d) {
      of(to).end = ifb::view(d->finish_reason);
      of(to).over.set_value();
    };
    table.on_error = [](ifb_output* to, const ifb_error* e) {
      of(to).end = e->message;
      of(to).over.set_value();
    };
  }
  static heard_single& of(ifb_output* to) { return *reinterpret_cast<heard_single*>(to); }
  ifb::engine_output output() { return {&table, reinterpret_cast<ifb_output*>(this)}; }
  std::string wait() {
    over.get_future().wait();
    return end;
  }

  ifb_events table{};
  std::vector<std::string> words;
  std::vector<std::uint64_t> stamps;
  std::vector<std::int64_t> usage;
  std::string end;
  std::promise<void> over;
};

class reference_requests : public testing::Test {
 protected:
  reference_requests() {
    given_.max_model_len = 1000;
    given_.max_batch = 2;
    given_.seed = 1;
  }
  reference_plugin::call open(reference_plugin& engine, heard_single& heard) {
    return engine.open(what_.sample(0), host_.arena(), heard.output());
  }

  engine_host host_;
  reference_options given_;
  text_batch what_{{"three little words"}, 3};
};

TEST_F(reference_requests, report_a_word_for_each_token) {
  given_.itl = std::chrono::nanoseconds(7);
  reference_plugin engine(host_.host(), given_);
  heard_single heard;
  reference_plugin::call request = open(engine, heard);
  request.run();
  EXPECT_EQ(heard.wait(), "length");
  ASSERT_EQ(heard.words.size(), 3U);
  EXPECT_EQ(heard.words[1].front(), ' ');
  EXPECT_EQ(heard.stamps[1] - heard.stamps[0], 7U) << "stamps are computed";
  EXPECT_THAT(heard.usage, ElementsAre(3, 3));
}

TEST_F(reference_requests, start_at_the_end_of_the_request_that_made_room) {
  given_.max_batch = 1;
  given_.ttft = std::chrono::microseconds(100);
  reference_plugin engine(host_.host(), given_);
  heard_single heard[2];
  reference_plugin::call first = open(engine, heard[0]);
  reference_plugin::call second = open(engine, heard[1]);
  first.run();
  second.run();
  EXPECT_EQ(heard[0].wait(), "length");
  EXPECT_EQ(heard[1].wait(), "length");
  EXPECT_GE(heard[1].stamps.front() - heard[0].stamps.back(), 100'000U);
}

TEST_F(reference_requests, fail_and_stop_as_the_options_say) {
  given_.fail_every = 2;
  given_.stop_after = 2;
  reference_plugin engine(host_.host(), given_);
  heard_single heard[2];
  reference_plugin::call first = open(engine, heard[0]);
  reference_plugin::call second = open(engine, heard[1]);
  first.run();
  second.run();
  EXPECT_EQ(heard[0].wait(), "stop");
  EXPECT_EQ(heard[0].words.size(), 2U);
  EXPECT_EQ(heard[1].wait(), "request 1 fails, as the option fail-every wants");
  given_.ignore_eos = true;
  reference_plugin other(host_.host(), given_);
  heard_single whole;
  reference_plugin::call third = open(other, whole);
  third.run();
  EXPECT_EQ(whole.wait(), "length");
}

TEST_F(reference_requests, end_when_they_are_cancelled) {
  given_.max_batch = 1;
  given_.ttft = hours(1);
  reference_plugin engine(host_.host(), given_);
  heard_single heard[3];
  reference_plugin::call running = open(engine, heard[0]);
  reference_plugin::call waiting = open(engine, heard[1]);
  reference_plugin::call early = open(engine, heard[2]);
  running.run();
  waiting.run();
  early.cancel();
  early.run();
  waiting.cancel();
  running.cancel();
  for (heard_single& each : heard)
    EXPECT_EQ(each.wait(), "cancelled");
}

TEST_F(reference_requests, make_room_when_they_are_cancelled) {
  given_.max_batch = 1;
  given_.ttft = hours(1);
  reference_plugin engine(host_.host(), given_);
  heard_single heard[2];
  reference_plugin::call first = open(engine, heard[0]);
  reference_plugin::call second = open(engine, heard[1]);
  first.run();
  second.run();
  first.cancel();
  EXPECT_EQ(heard[0].wait(), "cancelled");
  second.cancel();
  EXPECT_EQ(heard[1].wait(), "cancelled");
}

TEST_F(reference_requests, are_refused_like_samples_of_a_batch) {
  reference_plugin engine(host_.host(), given_);
  heard_single heard;
  what_.sample(0).output_tokens = 1000;
  EXPECT_THAT(message_of([&] { open(engine, heard); }),
              AllOf(HasSubstr("a prompt of 3 tokens"), HasSubstr("max-model-len")));
  what_.sample(0).output_tokens = -1;
  EXPECT_EQ(failure_of([&] { open(engine, heard); }).code(), IFB_E_CONFIG);
  what_.sample(0).shape = 77;
  EXPECT_EQ(failure_of([&] { open(engine, heard); }).code(), IFB_E_UNSUPPORTED);
}

}  // namespace
}  // namespace reference_engine
