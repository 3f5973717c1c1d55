#include "engines/python-engine/batch_answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_host.hpp"
#include "frames_of_worker.hpp"

namespace python_engine {
namespace {

using engine_test::engine_host;
using engine_test::failure_of;
using engine_test::frame_of;
using engine_test::little;
using engine_test::message_of;
using engine_test::text_batch;
using engine_test::tokens_payload;
using testing::ElementsAre;

class batch_answers : public testing::Test {
 protected:
  batch_answers() { what_.batch.flags = IFB_BATCH_STAMPS; }

  bool take(frame_kind kind, std::string payload) {
    if (!answer_) answer_.emplace(what_.batch, 4, clock_, host_.arena());
    return answer_->take(frame_of(kind, std::move(payload)));
  }
  void begin() { take(frame_kind::began, little(1000, 8)); }
  void end() { take(frame_kind::ended, little(1000, 8) + little(5000, 8)); }
  std::string refusal(frame_kind kind, const std::string& payload) {
    return message_of([&] { take(kind, payload); });
  }
  const ifb_batch_result& result(std::size_t i) { return answer_->report().results[i]; }

  static constexpr const char* both =
      R"({"first":0,"results":[{"prompt_tokens":3,"outputs":[{"tokens":2,"text":"a b",)"
      R"("finish_reason":"stop"}],"arrived_ns":1100,"measures":[{"name":"encoder","value":0.5}]},)"
      R"({"error":"too long"}]})";
  static constexpr const char* all_done = R"({"run":4,"results":2})";

  engine_host host_;
  text_batch what_{{"one", "two"}};
  clock_tie clock_;
  std::optional<batch_answer> answer_;
};

TEST_F(batch_answers, become_the_report) {
  begin();
  take(frame_kind::tokens, tokens_payload(2000, {{0, 0, 1}, {1, 0, 1}}));
  take(frame_kind::tokens, tokens_payload(3000, {{0, 0, 1}}));
  end();
  EXPECT_FALSE(take(frame_kind::results, both));
  EXPECT_TRUE(take(frame_kind::done, all_done));
  EXPECT_EQ(answer_->report().began_ns, 1000U);
  EXPECT_EQ(answer_->report().elapsed_ns, 4000U);
  ASSERT_EQ(answer_->report().result_count, 2U);
  EXPECT_EQ(result(0).status, IFB_OK);
  EXPECT_EQ(result(0).prompt_tokens, 3);
  EXPECT_EQ(result(0).arrived_ns, 1100U);
  EXPECT_EQ(result(0).first_token_ns, 2000U);
  EXPECT_EQ(result(0).last_token_ns, 3000U);
  EXPECT_THAT(std::vector(result(0).token_ns, result(0).token_ns + result(0).token_count),
              ElementsAre(2000U, 3000U));
  ASSERT_EQ(result(0).output_count, 1U);
  EXPECT_EQ(result(0).outputs[0].tokens, 2);
  EXPECT_EQ(ifb::view(result(0).outputs[0].text), "a b");
  EXPECT_EQ(ifb::view(result(0).outputs[0].finish_reason), "stop");
  EXPECT_EQ(result(0).measures.first[0].value, 0.5);
  EXPECT_EQ(result(1).status, IFB_E_REMOTE);
  EXPECT_EQ(ifb::view(result(1).error), "too long");
  EXPECT_EQ(answer_->warning(), "");
}

TEST_F(batch_answers, have_times_of_the_hosts_clock) {
  clock_.add(10, 1010, 10);  // the worker is ahead by 1000
  begin();
  take(frame_kind::tokens, tokens_payload(2000, {{0, 0, 2}}));
  end();
  take(frame_kind::results, both);
  take(frame_kind::done, all_done);
  EXPECT_EQ(answer_->report().elapsed_ns, 4000U);
  EXPECT_EQ(result(0).first_token_ns, 1000U);
  EXPECT_EQ(result(0).arrived_ns, 100U);
}

TEST_F(batch_answers, need_no_events) {
  what_.batch.flags = 0;
  begin();
  end();
  take(frame_kind::results, both);
  EXPECT_TRUE(take(frame_kind::done, all_done));
  EXPECT_EQ(result(0).first_token_ns, 0U);
  EXPECT_EQ(result(0).token_ns, nullptr);
}

TEST_F(batch_answers, with_fewer_results_than_prompts_are_a_failure_of_the_engine) {
  begin();
  end();
  take(frame_kind::results, R"({"first":0,"results":[{"outputs":[{}]}]})");
  const ifb::failure fewer =
      failure_of([&] { take(frame_kind::done, R"({"run":4,"results":1})"); });
  EXPECT_EQ(fewer.code(), IFB_E_REMOTE);
  EXPECT_EQ(fewer.message(),
            "the engine returned 1 results for 2 prompts; the adapter must return one for each, in "
            "order");
}

TEST_F(batch_answers, with_fewer_outputs_than_wanted_are_a_failed_sample) {
  what_.sampling.n = 2;
  begin();
  end();
  take(frame_kind::results, R"({"first":0,"results":[{"outputs":[{}]},{"outputs":[{},{}]}]})");
  EXPECT_TRUE(take(frame_kind::done, all_done));
  EXPECT_EQ(ifb::view(result(0).error), "the engine returned 1 of 2 outputs");
  EXPECT_EQ(result(1).status, IFB_OK);
}

TEST_F(batch_answers, warn_of_incomplete_events) {
  begin();
  take(frame_kind::tokens, tokens_payload(2000, {{0, 0, 1}}));
  end();
  take(frame_kind::results, both);
  take(frame_kind::done, all_done);
  EXPECT_EQ(answer_->warning(),
            "1 outputs have more tokens than the engine reported while it ran; the times of their "
            "tokens are incomplete");
}

TEST_F(batch_answers, refuse_frames_out_of_order) {
  EXPECT_EQ(refusal(frame_kind::tokens, tokens_payload(1, {{0, 0, 1}})),
            "frame 7 (tokens): it is not between began and ended");
  EXPECT_EQ(refusal(frame_kind::ended, std::string(16, '\0')),
            "frame 7 (ended): it does not follow began");
  EXPECT_EQ(refusal(frame_kind::pong, ""),
            "frame 7 (pong): it is not allowed here; the host waits for began");
  begin();
  EXPECT_EQ(refusal(frame_kind::began, little(1, 8)),
            "frame 7 (began): the batch has already begun");
  EXPECT_EQ(refusal(frame_kind::results, both), "frame 7 (results): it does not follow ended");
  EXPECT_EQ(refusal(frame_kind::done, all_done), "frame 7 (done): it does not follow ended");
  EXPECT_STREQ(answer_->awaited(), "ended");
}

TEST_F(batch_answers, refuse_events_of_unknown_items_and_wrong_sizes) {
  begin();
  const auto tokens = [&](const std::string& payload) {
    return refusal(frame_kind::tokens, payload);
  };
  EXPECT_EQ(tokens(tokens_payload(2000, {{0, 0, 1}, {2, 0, 1}})),
            "frame 7 (tokens): events[1].item: 2, and the batch has 2 items");
  EXPECT_EQ(tokens(tokens_payload(2000, {{0, 1, 1}})),
            "frame 7 (tokens): events[0].output: 1, and an item has 1 outputs");
  EXPECT_EQ(tokens(tokens_payload(2000, {{0, 0, 0}})),
            "frame 7 (tokens): events[0].tokens: 0 tokens are no event");
  EXPECT_EQ(tokens(tokens_payload(1999, {{0, 0, 1}})),
            "frame 7 (tokens): time stamp: before the stamp of an earlier frame");
  EXPECT_EQ(tokens(tokens_payload(2000, {})),
            "frame 7 (tokens): number of events: 0, not 1 to 1048576");
  EXPECT_EQ(tokens(little(2000, 8) + little(0xFFFFFFFF, 4)),
            "frame 7 (tokens): number of events: 4294967295, not 1 to 1048576");
  EXPECT_EQ(tokens(little(2000, 8) + little(2, 4) + little(0, 8)),
            "frame 7 (tokens): 20 bytes of payload instead of 28");
  EXPECT_EQ(tokens("1234"), "frame 7 (tokens): the payload has less than 12 bytes");
}

TEST_F(batch_answers, refuse_a_timed_section_that_its_events_contradict) {
  EXPECT_EQ(refusal(frame_kind::began, little(1, 4)),
            "frame 7 (began): 4 bytes of payload instead of 8");
  begin();
  take(frame_kind::tokens, tokens_payload(2000, {{0, 0, 1}}));
  const auto ended = [&](std::uint64_t from, std::uint64_t to) {
    return refusal(frame_kind::ended, little(from, 8) + little(to, 8));
  };
  EXPECT_EQ(ended(999, 5000), "frame 7 (ended): beginning: before the time of began");
  EXPECT_EQ(ended(3000, 2999), "frame 7 (ended): end: before the beginning");
  EXPECT_EQ(ended(2001, 5000), "frame 7 (ended): beginning: after the first event with tokens");
  EXPECT_EQ(ended(1000, 1999), "frame 7 (ended): end: before the last event with tokens");
}

TEST_F(batch_answers, refuse_results_that_do_not_fit) {
  begin();
  take(frame_kind::tokens, tokens_payload(2000, {{0, 0, 3}}));
  end();
  const auto results = [&](const std::string& json) { return refusal(frame_kind::results, json); };
  EXPECT_EQ(results(R"({"first":1,"results":[{}]})"), "frame 7 (results): first: 1 instead of 0");
  EXPECT_EQ(results(R"({"first":0,"results":[]})"), "frame 7 (results): results: an empty list");
  EXPECT_EQ(results(R"({"first":0})"), "frame 7 (results): results: missing");
  EXPECT_EQ(results(R"({"first":0,"results":[{},{},{}]})"),
            "frame 7 (results): results: results beyond the 2 items");
  EXPECT_EQ(results(R"({"first":0,"results":[{"outputs":[{"tokens":2}]}]})"),
            "frame 7 (results): results[0].outputs[0].tokens: 2, and the frames tokens have 3");
}

TEST_F(batch_answers, refuse_a_wrong_end) {
  begin();
  end();
  take(frame_kind::results, both);
  EXPECT_EQ(refusal(frame_kind::done, R"({"run":3,"results":2})"),
            "frame 7 (done): run: 3 instead of 4");
  EXPECT_EQ(refusal(frame_kind::done, R"({"run":4,"results":1})"),
            "frame 7 (done): results: 1, and 2 results have arrived");
}

TEST_F(batch_answers, name_the_result_with_a_fault) {
  begin();
  end();
  const auto one = [&](const std::string& members) {
    answer_.reset();
    begin();
    end();
    return refusal(frame_kind::results,
                   R"({"first":0,"results":[{"outputs":[{}]},{)" + members + "}]}");
  };
  EXPECT_EQ(one(R"("prompt_tokens":"3")"),
            "frame 7 (results): results[1].prompt_tokens: not an integer");
  EXPECT_EQ(one(R"("outputs":[{},{}])"),
            "frame 7 (results): results[1].outputs: 2 outputs instead of 1");
  EXPECT_EQ(one(R"("outputs":[{"text":1}])"),
            "frame 7 (results): results[1].outputs[0].text: not a string");
  EXPECT_EQ(one(R"("first_token_ns":9,"last_token_ns":8)"),
            "frame 7 (results): results[1].last_token_ns: before first_token_ns");
}

}  // namespace
}  // namespace python_engine
