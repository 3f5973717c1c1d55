#include "batch/mm_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"
#include "offline/mm_report.hpp"
#include "support/golden.hpp"

namespace inferbench::batch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The answer to a chat with an image. The first token comes `first_ms` and the last token
/// `last_ms` after the arrival of the request.
batch_answer chat_answer(double processor_s, double encoder_s, std::uint64_t first_ms,
                         std::uint64_t last_ms) {
  batch_answer out = answer_with(8, 4);
  out.record.first_text_ns = section_begin_ns + first_ms * one_ms;
  out.record.last_text_ns = section_begin_ns + last_ms * one_ms;
  out.measures = {{"apply_hf_processor_secs", "s", processor_s, 0, 0},
                  {"encoder_forward_secs", "s", encoder_s, 0, 0},
                  {"num_encoder_calls", "1", 1, 0, 0}};
  return out;
}

class mm_runs : public ::testing::Test {
 protected:
  mm_outcome measure(scripted_executor& engine) {
    return measure_mm(prompts.all(), warmups.all(), engine, facts, kept.console());
  }

  prompt_samples prompts, warmups;
  engine_facts facts;
  kept_console kept;
};

TEST_F(mm_runs, collect_stages_and_latencies_of_the_timed_chats) {
  warmups.chat("before", 8, 4).with_medium();
  prompts.chat("one", 8, 4).with_medium().chat("two", 8, 4).with_medium().chat("three", 8, 4);
  batch_answer without_times = answer_with(8, 4);
  without_times.arrived_ns = 0;
  scripted_executor engine(
      {outcome_of(one_ms, {chat_answer(9, 9, 9000, 9000)}),
       outcome_of(600 * one_ms, {chat_answer(0.25, 0.125, 50, 150),
                                 chat_answer(0.75, 0.375, 100, 400), without_times})});
  const mm_outcome found = measure(engine);
  const double percentiles[] = {50, 99};
  const auto statistics = offline::statistics_of(found.result, percentiles);
  support::expect_golden(kept.printed() + offline::mm_text(statistics),
                         std::string(INFERBENCH_FIXTURES) + "/batch/mm_processor.txt");
  EXPECT_EQ(statistics.completed, 3U);
  EXPECT_EQ(statistics.encoder_calls, 2U);
  EXPECT_EQ(found.result.elapsed_s, 0.6);
  EXPECT_EQ(found.batch.answers.size(), 3U);
}

TEST_F(mm_runs, ask_for_chats_that_may_end_early_and_set_temperature_0_only_after_the_warm_up) {
  warmups.chat("before", 8, 4);
  prompts.chat("one", 8, 4);
  kept.keeps_requests = true;
  scripted_executor engine(
      {outcome_of(one_ms, {answer_with(8, 4)}), outcome_of(one_ms, {answer_with(8, 4)})});
  (void)measure(engine);
  ASSERT_EQ(engine.asked.size(), 2U);
  for (const auto& each : engine.asked) {
    EXPECT_EQ(each.mode, unsigned{IFB_BATCH_CHAT});
    EXPECT_EQ(each.sampling.n, 1U);
    EXPECT_EQ(each.sampling.flags, 0U);
    EXPECT_EQ(each.sampling.max_tokens, -1);
  }
  EXPECT_EQ(engine.asked[0].sampling.temperature, 1);
  EXPECT_EQ(engine.asked[1].sampling.temperature, 0);
  EXPECT_THAT(engine.asked[0].prompts, ElementsAre("before"));
  EXPECT_EQ(engine.asked[0].flags, 0U);
  EXPECT_EQ(engine.asked[1].flags, unsigned{IFB_BATCH_STAMPS});
  EXPECT_TRUE(engine.asked[1].keep_texts);
}

TEST_F(mm_runs, count_a_chat_as_failed_if_it_has_an_error_or_no_complete_output) {
  prompts.chat("one", 8, 4).chat("two", 8, 4).chat("three", 8, 4).chat("four", 8, 4);
  batch_answer cut = answer_with(8, 4);
  cut.finished = 0;
  batch_answer empty = answer_with(8, 0);
  empty.outputs = empty.finished = 0;
  scripted_executor engine(
      {outcome_of(one_ms, {answer_with(8, 4), failed_answer("no image"), cut, empty})});
  const auto found = offline::statistics_of(measure(engine).result, {});
  EXPECT_EQ(found.completed, 1U);
  EXPECT_EQ(found.failed, 3U);
  EXPECT_THAT(kept.logged, ElementsAre("1 of 4 requests failed: no image"));
}

TEST_F(mm_runs, print_no_line_for_the_warm_up_if_there_is_no_warm_up) {
  prompts.chat("one", 8, 4);
  scripted_executor engine({outcome_of(one_ms, {answer_with(8, 4)})});
  (void)measure(engine);
  EXPECT_EQ(kept.printed(), "Starting multimodal processor benchmark...\n");
}

TEST_F(mm_runs, refuse_a_prompt_that_does_not_fit_before_the_engine_runs) {
  facts.max_model_len = 11;
  prompts.chat("one", 7, 4).chat("two", 8, 4);
  scripted_executor engine({});
  EXPECT_EQ(offline::refusal_of([&] { return measure(engine); }),
            "1: request 1 has 8 prompt tokens and 4 output tokens, but the engine has room for "
            "11; use shorter lengths, or raise --max-model-len");
  EXPECT_THAT(engine.asked, IsEmpty());
}

TEST_F(mm_runs, stop_after_the_warm_up_if_the_user_asks_for_it) {
  warmups.chat("before", 8, 4);
  prompts.chat("one", 8, 4);
  kept.looks_left = 1;  // the first check finds that the user has stopped the program
  scripted_executor engine({outcome_of(one_ms, {answer_with(8, 4)})});
  EXPECT_EQ(offline::refusal_of([&] { return measure(engine); }), "1: stopped by the user");
  EXPECT_EQ(engine.asked.size(), 1U);
}

}  // namespace
}  // namespace inferbench::batch
