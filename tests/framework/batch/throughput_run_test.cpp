#include "batch/throughput_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"
#include "offline/prioritization.hpp"
#include "support/golden.hpp"

namespace inferbench::batch {
namespace {

using offline::refusal_of;
using offline::throughput_in;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string batch_goldens = std::string(INFERBENCH_FIXTURES) + "/batch/";

class throughput_runs : public ::testing::Test {
 protected:
  throughput_outcome measure(std::vector<std::string> args, scripted_executor& engine) {
    args.insert(args.end(), {"--dataset-name", "random"});
    return measure_throughput(throughput_in(args), prompts.all(), warmups.all(), share, engine,
                              facts, kept.console());
  }
  std::string refusal(const std::vector<std::string>& args, scripted_executor& engine) {
    return refusal_of([&] { return measure(args, engine); });
  }
  /// An engine that answers each of the prompts.
  [[nodiscard]] scripted_executor good() const {
    return scripted_executor(
        {outcome_of(one_ms, std::vector<batch_answer>(prompts.all().size(), answer_with(2, 3)))});
  }

  prompt_samples prompts, warmups;
  offline::request_share share;
  engine_facts facts;
  kept_console kept;
};

TEST_F(throughput_runs, count_the_tokens_of_the_engine_within_the_timed_section) {
  prompts.text("one", 10, 100).text("two", 20, 100).text("three", 30, 100);
  warmups.text("before", 5, 7).text("before too", 6, 8);
  scripted_executor engine({outcome_of(9000 * one_ms, {answer_with(5, 7), answer_with(6, 8)}),
                            outcome_of(2500 * one_ms, {answer_with(11, 150), answer_with(21, 250),
                                                       answer_with(31, 350)})});
  const throughput_outcome found = measure({"--n", "2"}, engine);
  support::expect_golden(kept.printed() + offline::throughput_text(found.result, false) +
                             offline::result_text(offline::throughput_json(found.result)),
                         batch_goldens + "throughput.txt");
  EXPECT_EQ(found.failed, 0U);
  EXPECT_EQ(found.batch.answers.size(), 3U);
  EXPECT_THAT(kept.logged, ElementsAre(HasSubstr("1 of 3 requests: fewer output tokens")));
}

TEST_F(throughput_runs, say_nothing_if_every_output_has_its_length) {
  prompts.text("one", 10, 100);
  scripted_executor engine({outcome_of(one_ms, {answer_with(11, 200)})});
  (void)measure({"--n", "2"}, engine);
  EXPECT_THAT(kept.logged, IsEmpty());
}

TEST_F(throughput_runs, warm_up_with_the_same_sampling_and_without_profile_and_time_stamps) {
  prompts.text("one", 10, 100);
  warmups.text("before", 5, 7);
  facts.profiler = "torch";
  kept.keeps_requests = true;
  scripted_executor engine(
      {outcome_of(one_ms, {answer_with(5, 7)}), outcome_of(one_ms, {answer_with(10, 100)})});
  measure({"--profile", "--n", "3", "--disable-detokenize"}, engine);
  ASSERT_EQ(engine.asked.size(), 2U);
  EXPECT_EQ(engine.asked[0].ids, "warmup");
  EXPECT_EQ(engine.asked[1].ids, "test");
  EXPECT_THAT(engine.asked[0].prompts, ElementsAre("before"));
  EXPECT_THAT(engine.asked[1].prompts, ElementsAre("one"));
  EXPECT_EQ(engine.asked[0].flags, unsigned{IFB_BATCH_NO_TEXT});
  EXPECT_EQ(engine.asked[1].flags,
            unsigned{IFB_BATCH_NO_TEXT | IFB_BATCH_STAMPS | IFB_BATCH_PROFILE});
  for (const auto& each : engine.asked) {
    EXPECT_EQ(each.sampling.n, 3U);
    EXPECT_EQ(each.sampling.flags, unsigned{IFB_SAMPLING_IGNORE_EOS});
    EXPECT_EQ(each.sampling.temperature, 1);
    EXPECT_EQ(each.sampling.top_p, 1);
    EXPECT_EQ(each.sampling.max_tokens, -1);
  }
}

TEST_F(throughput_runs, run_without_a_warm_up_by_default) {
  prompts.text("one", 10, 100);
  scripted_executor engine = good();
  measure({}, engine);
  EXPECT_EQ(kept.printed(), "");
  EXPECT_EQ(engine.asked.size(), 1U);
}

TEST_F(throughput_runs, pass_the_flags_of_the_scheduler_on) {
  prompts.text("one", 10, 100);
  scripted_executor queued = good();
  measure({"--prequeue-requests"}, queued);
  EXPECT_EQ(queued.asked[0].flags, unsigned{IFB_BATCH_PREQUEUE});
  scripted_executor async = good();
  measure({"--async-engine"}, async);
  EXPECT_EQ(async.asked[0].flags, unsigned{IFB_BATCH_ASYNC});
}

TEST_F(throughput_runs, ask_for_times_and_texts_only_if_the_requests_are_kept) {
  prompts.text("one", 10, 100);
  for (const bool keeps : {false, true}) {
    kept.keeps_requests = keeps;
    scripted_executor engine = good();
    measure({}, engine);
    EXPECT_EQ(engine.asked[0].flags, keeps ? unsigned{IFB_BATCH_STAMPS} : 0U);
    EXPECT_EQ(engine.asked[0].keep_texts, keeps);
  }
}

TEST_F(throughput_runs, count_the_tokens_of_the_samples_for_the_asynchronous_engine) {
  prompts.text("one", 10, 100).text("two", 20, 200);
  scripted_executor engine = good();
  const auto found = measure({"--backend", "vllm-async"}, engine);
  EXPECT_EQ(found.result.prompt_tokens, 30U);
  EXPECT_EQ(found.result.output_tokens, 300U);
}

TEST_F(throughput_runs, give_messages_to_the_chat_interface_of_an_engine_that_is_named_for_it) {
  prompts.text("one", 10, 100);
  scripted_executor chat = good();
  measure({"--backend", "vllm-chat"}, chat);
  EXPECT_EQ(chat.asked[0].mode, unsigned{IFB_BATCH_CHAT});
  scripted_executor plain = good();
  measure({}, plain);
  EXPECT_EQ(plain.asked[0].mode, unsigned{IFB_BATCH_GENERATE});
}

TEST_F(throughput_runs, let_the_samples_decide_for_other_engines) {
  const auto mode_of = [this](const prompt_samples& from) {
    scripted_executor engine(
        {outcome_of(one_ms, std::vector<batch_answer>(from.all().size(), answer_with(2, 3)))});
    const auto options = offline::throughput_options_of(
        offline::line_of({"--backend", "mine", "--dataset-name", "random"}), {{"mine"}, {}});
    (void)measure_throughput(options, from.all(), {}, share, engine, facts, kept.console());
    return engine.asked[0].mode;
  };
  EXPECT_EQ(mode_of(prompt_samples().text("a", 1, 1)), unsigned{IFB_BATCH_GENERATE});
  EXPECT_EQ(mode_of(prompt_samples().chat("a", 1, 1).chat("b", 1, 1)), unsigned{IFB_BATCH_CHAT});
  EXPECT_EQ(mode_of(prompt_samples().chat("a", 1, 1).text("b", 1, 1)),
            unsigned{IFB_BATCH_GENERATE});
}

TEST_F(throughput_runs, warn_of_media_whose_tokens_are_not_counted) {
  prompts.text("one", 10, 100).text("two", 20, 200).with_medium();
  scripted_executor engine = good();
  EXPECT_TRUE(measure({}, engine).result.media_not_counted);
  scripted_executor chat = good();
  EXPECT_FALSE(measure({"--backend", "vllm-chat"}, chat).result.media_not_counted);
}

TEST_F(throughput_runs, leave_failed_requests_out_and_say_so) {
  prompts.text("one", 10, 100).text("two", 20, 200).text("three", 30, 300);
  scripted_executor engine({outcome_of(
      one_ms, {failed_answer("too long\nby far"), answer_with(21, 200), failed_answer("other")})});
  const auto found = measure({}, engine);
  EXPECT_EQ(found.failed, 2U);
  EXPECT_EQ(found.result.requests, 1U);
  EXPECT_EQ(found.result.prompt_tokens, 21U);
  EXPECT_EQ(found.result.output_tokens, 200U);
  EXPECT_EQ(found.batch.answers.size(), 3U);
  EXPECT_THAT(kept.logged,
              ElementsAre("2 of 3 requests failed and are not counted: too long by far"));
}

TEST_F(throughput_runs, fail_if_every_request_fails) {
  prompts.text("one", 10, 100).text("two", 20, 200);
  scripted_executor engine(
      {outcome_of(one_ms, {failed_answer("no such model"), failed_answer("other")})});
  EXPECT_EQ(refusal({}, engine), "1: every request failed: no such model");
}

TEST_F(throughput_runs, refuse_a_prompt_that_does_not_fit_before_the_engine_runs) {
  prompts.text("one", 10, 90).text("two", 11, 90);
  facts.max_model_len = 100;
  scripted_executor engine = good();
  EXPECT_EQ(refusal({}, engine),
            "1: request 1 has 11 prompt tokens and 90 output tokens, but the engine has room for "
            "100; use shorter lengths, or raise --max-model-len");
  EXPECT_THAT(engine.asked, IsEmpty());
}

TEST_F(throughput_runs, refuse_a_prompt_of_the_warm_up_that_does_not_fit) {
  prompts.text("one", 10, 90);
  warmups.text("long", 99, 2);
  facts.max_model_len = 100;
  scripted_executor engine = good();
  EXPECT_THAT(refusal({}, engine), ::testing::StartsWith("1: request 0 has 99 prompt tokens"));
}

TEST_F(throughput_runs, stop_after_the_warm_up_if_the_user_asks_for_it) {
  prompts.text("one", 10, 90);
  warmups.text("before", 10, 90);
  kept.looks_left = 1;
  scripted_executor engine = good();
  EXPECT_EQ(refusal({}, engine), "1: stopped by the user");
  EXPECT_EQ(engine.asked.size(), 1U);
}

TEST_F(throughput_runs, with_priorities_give_each_request_its_own_and_count_the_samples_tokens) {
  prompts.text("one", 10, 4).text("two", 20, 4).text("three", 30, 4);
  scripted_executor engine = good();
  const auto options = offline::prioritization_options_of(offline::line_of(
      {"--dataset", "s.json", "--seed", "0", "--n", "2"}, offline::benchmark::prioritization));
  const throughput_outcome found =
      measure_throughput(options, prompts.all(), {}, share, engine, facts, kept.console());
  EXPECT_THAT(engine.asked.at(0).overrides,
              ElementsAre(R"({"priority": 1})", R"({"priority": 1})", R"({"priority": 0})"));
  EXPECT_THAT(engine.asked[0].prompts, ElementsAre("one", "two", "three"));
  EXPECT_EQ(engine.asked[0].flags, unsigned{IFB_BATCH_NO_TEXT});
  EXPECT_EQ(engine.asked[0].sampling.temperature, 1);
  EXPECT_EQ(found.result.total_tokens(), 72U);
}

TEST_F(throughput_runs, with_priorities_count_the_input_length_that_was_asked_for) {
  prompts.text("one", 10, 4).text("two", 20, 4);
  scripted_executor engine = good();
  const auto options = offline::prioritization_options_of(offline::line_of(
      {"--input-len", "32", "--output-len", "4"}, offline::benchmark::prioritization));
  const throughput_outcome found =
      measure_throughput(options, prompts.all(), {}, share, engine, facts, kept.console());
  EXPECT_EQ(found.result.total_tokens(), 72U);
}

TEST_F(throughput_runs, without_priorities_leave_the_overrides_alone) {
  prompts.text("one", 10, 100);
  scripted_executor engine = good();
  measure({}, engine);
  EXPECT_THAT(engine.asked.at(0).overrides, ElementsAre(""));
}

TEST_F(throughput_runs, pass_the_failure_of_the_whole_batch_on) {
  prompts.text("one", 10, 90);
  scripted_executor engine({});
  EXPECT_EQ(refusal({}, engine), "1: engine scripted: run: there is no further outcome");
}

TEST_F(throughput_runs, need_an_engine_with_a_profiler_for_a_profile) {
  prompts.text("one", 10, 90);
  scripted_executor engine = good();
  EXPECT_THAT(refusal({"--profile"}, engine),
              ::testing::StartsWith("1: --profile: the engine has no profiler"));
  EXPECT_THAT(engine.asked, IsEmpty());
}

}  // namespace
}  // namespace inferbench::batch
