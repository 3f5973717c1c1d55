#include "batch/script_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"
#include "support/golden.hpp"

namespace inferbench::batch {
namespace {

using offline::refusal_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string script_goldens = std::string(INFERBENCH_FIXTURES) + "/batch/";

std::vector<batch_answer> answers_to(std::size_t requests) {
  return std::vector<batch_answer>(requests, answer_with(2, 3));
}

class script_runs : public ::testing::Test {
 protected:
  script_runs() {
    prompts.text("one", 30, 4).with_id("a").text("two", 10, 4).with_id("b").text("three", 20, 4);
  }
  static offline::prefix_caching_options prefix_options(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--num-prompts", "3", "--input-length-range", "9:99", "--output-len",
                               "7", "--repeat-count", "2"});
    return offline::prefix_caching_options_of(
        offline::line_of(more, offline::benchmark::prefix_caching));
  }
  static offline::long_document_options document_options() {
    return offline::long_document_options_of(
        offline::line_of({"--output-len", "5"}, offline::benchmark::long_document_qa));
  }

  prompt_samples prompts, warmups;
  kept_console kept;
};

TEST_F(script_runs, of_prefix_caching_repeat_the_prompts_in_one_greedy_batch) {
  scripted_executor engine({outcome_of(1250 * one_ms, answers_to(6))});
  const batch_outcome found =
      measure_prefix_caching(prefix_options(), prompts.all(), engine, kept.console());
  EXPECT_DOUBLE_EQ(seconds_of(found), 1.25);
  EXPECT_EQ(found.answers.size(), 6U);
  support::expect_golden(offline::sampled_text(lengths_of(prompts.all())) + kept.printed() +
                             offline::prefix_caching_text(seconds_of(found)),
                         script_goldens + "prefix_caching.txt");
  ASSERT_EQ(engine.asked.size(), 1U);
  const auto& asked = engine.asked[0];
  // python3: x = ["one", "two", "three"] * 2; random.seed(0); random.shuffle(x)
  EXPECT_THAT(asked.prompts, ElementsAre("two", "three", "two", "one", "three", "one"));
  EXPECT_THAT(asked.sample_ids, ElementsAre("b", "", "b-2", "a", "", "a-2"));
  EXPECT_EQ(asked.mode, unsigned{IFB_BATCH_GENERATE});
  EXPECT_EQ(asked.flags, 0U);
  EXPECT_EQ(asked.sampling.flags, 0U);  // the end of sequence ends an output
  EXPECT_EQ(asked.sampling.n, 1U);
  EXPECT_EQ(asked.sampling.temperature, 0);
  EXPECT_EQ(asked.sampling.top_p, 1);
  EXPECT_EQ(asked.sampling.max_tokens, 7);
}

TEST_F(script_runs, of_prefix_caching_may_sort_the_prompts_and_leave_text_out) {
  scripted_executor engine({outcome_of(one_ms, answers_to(6))});
  static_cast<void>(measure_prefix_caching(prefix_options({"--sort", "--disable-detokenize"}),
                                           prompts.all(), engine, kept.console()));
  EXPECT_THAT(engine.asked.at(0).prompts,
              ElementsAre("two", "two", "three", "three", "one", "one"));
  EXPECT_EQ(engine.asked[0].flags, unsigned{IFB_BATCH_NO_TEXT});
}

TEST_F(script_runs, of_long_documents_run_the_warm_up_and_then_all_requests) {
  warmups.text("warm 0", 9, 5).text("warm 1", 9, 5);
  kept.keeps_requests = true;
  scripted_executor engine(
      {outcome_of(500 * one_ms, answers_to(2)), outcome_of(250 * one_ms, answers_to(3))});
  const long_document_outcome found = measure_long_document(document_options(), warmups.all(),
                                                            prompts.all(), engine, kept.console());
  EXPECT_DOUBLE_EQ(found.warmup_s, 0.5);
  EXPECT_EQ(found.batch.answers.size(), 3U);
  support::expect_golden(kept.printed() + offline::long_document_text(seconds_of(found.batch)),
                         script_goldens + "long_document.txt");
  ASSERT_EQ(engine.asked.size(), 2U);
  EXPECT_THAT(engine.asked[0].prompts, ElementsAre("warm 0", "warm 1"));
  EXPECT_THAT(engine.asked[1].prompts, ElementsAre("one", "two", "three"));
  // The warm-up is in no journal.
  EXPECT_EQ(engine.asked[0].flags, 0U);
  EXPECT_FALSE(engine.asked[0].keep_texts);
  EXPECT_EQ(engine.asked[1].flags, unsigned{IFB_BATCH_STAMPS});
  EXPECT_TRUE(engine.asked[1].keep_texts);
  for (const auto& each : engine.asked) {
    EXPECT_EQ(each.sampling.max_tokens, 5);
    EXPECT_EQ(each.sampling.temperature, 0);
    EXPECT_EQ(each.sampling.flags, 0U);
  }
}

TEST_F(script_runs, end_with_the_first_request_that_fails) {
  scripted_executor prefixes(
      {outcome_of(one_ms, {answer_with(2, 3), failed_answer("no memory\nat all"), answer_with(2, 3),
                           answer_with(2, 3), answer_with(2, 3), answer_with(2, 3)})});
  EXPECT_EQ(refusal_of([&] {
              return measure_prefix_caching(prefix_options(), prompts.all(), prefixes,
                                            kept.console());
            }),
            "1: a request of the batch failed: no memory at all");
  warmups.text("warm", 9, 5);
  scripted_executor documents({outcome_of(one_ms, {failed_answer("too long")})});
  EXPECT_EQ(refusal_of([&] {
              return measure_long_document(document_options(), warmups.all(), prompts.all(),
                                           documents, kept.console());
            }),
            "1: a request of the batch failed: too long");
  EXPECT_EQ(documents.asked.size(), 1U);
}

TEST_F(script_runs, stop_after_the_warm_up_if_the_user_asks_for_it) {
  warmups.text("warm", 9, 5);
  kept.looks_left = 1;
  scripted_executor engine({outcome_of(one_ms, answers_to(1))});
  EXPECT_EQ(refusal_of([&] {
              return measure_long_document(document_options(), warmups.all(), prompts.all(), engine,
                                           kept.console());
            }),
            "1: stopped by the user");
  EXPECT_EQ(engine.asked.size(), 1U);
}

TEST_F(script_runs, without_prompts_have_no_lengths) {
  EXPECT_THAT(lengths_of({}), IsEmpty());
  EXPECT_THAT(lengths_of(prompts.all()), ElementsAre(30, 10, 20));
}

}  // namespace
}  // namespace inferbench::batch
