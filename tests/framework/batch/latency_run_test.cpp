#include "batch/latency_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batch/prompt_list.hpp"
#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"
#include "offline/latency_report.hpp"
#include "support/golden.hpp"

namespace inferbench::batch {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The outcomes of `count` batches of two requests. The first batch takes 100 ms. Each further
/// batch takes 100 ms more than the previous batch, and begins 1 s later.
std::vector<batch_outcome> iterations_of(std::size_t count) {
  std::vector<batch_outcome> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(outcome_of((i + 1) * 100 * one_ms, {answer_with(4, 6), answer_with(4, 6)}));
    out.back().began_ns += i * 1000 * one_ms;
  }
  return out;
}

class latency_runs : public ::testing::Test {
 protected:
  latency_outcome measure(std::vector<std::string> args, scripted_executor& engine) {
    args.insert(args.end(), {"--model", "m", "--input-len", "4", "--output-len", "6"});
    return measure_latency(
        offline::latency_options_of(offline::line_of(args, offline::benchmark::latency)),
        prompts.items(), engine, facts, kept.console());
  }
  std::string refusal(const std::vector<std::string>& args, scripted_executor& engine) {
    return offline::refusal_of([&] { return measure(args, engine); });
  }

  const random_prompts prompts{2, 4, 6, 0};
  engine_facts facts;
  kept_console kept;
};

TEST_F(latency_runs, time_the_iterations_after_the_warm_ups) {
  scripted_executor engine(iterations_of(5));
  const latency_outcome found =
      measure({"--num-iters-warmup", "2", "--num-iters", "3", "--n", "2"}, engine);
  ASSERT_TRUE(found.result.has_value());
  EXPECT_THAT(found.result->latencies_s, ElementsAre(0.3, 0.4, 0.5));
  support::expect_golden(kept.printed() + offline::latency_text(*found.result) +
                             offline::result_text(offline::latency_json(*found.result)),
                         std::string(INFERBENCH_FIXTURES) + "/batch/latency.txt");
  EXPECT_THAT(kept.progress,
              ElementsAre("Warmup iterations 0/2", "Warmup iterations 1/2", "Warmup iterations 2/2",
                          "Bench iterations 0/3", "Bench iterations 1/3", "Bench iterations 2/3",
                          "Bench iterations 3/3"));
}

TEST_F(latency_runs, keep_the_requests_and_the_whole_time_of_all_timed_iterations) {
  std::vector<batch_outcome> outcomes = iterations_of(4);
  outcomes[0].detail = time_detail::end;  // the warm-up, which does not count
  outcomes[2].detail = time_detail::first_and_last;
  scripted_executor engine(std::move(outcomes));
  const latency_outcome found = measure({"--num-iters-warmup", "1", "--num-iters", "3"}, engine);
  EXPECT_EQ(found.all.began_ns, section_begin_ns + 1000 * one_ms);
  // From the begin of the first timed iteration to the end of the third, which takes 400 ms.
  EXPECT_EQ(found.all.elapsed_ns, (2000 + 400) * one_ms);
  EXPECT_EQ(found.all.detail, time_detail::first_and_last);
  std::vector<std::uint64_t> numbers;
  for (const batch_answer& each : found.all.answers)
    numbers.push_back(each.record.sequence);
  EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(latency_runs, give_the_same_prompts_to_every_iteration) {
  kept.keeps_requests = true;
  scripted_executor engine(iterations_of(3));
  measure({"--num-iters-warmup", "1", "--num-iters", "2"}, engine);
  ASSERT_THAT(engine.asked, SizeIs(3));
  for (const auto& each : engine.asked) {
    EXPECT_THAT(each.token_ids, SizeIs(2));
    EXPECT_EQ(each.token_ids, engine.asked[0].token_ids);
    EXPECT_EQ(each.mode, unsigned{IFB_BATCH_GENERATE});
    EXPECT_EQ(each.sampling.max_tokens, 6);
    EXPECT_EQ(each.sampling.flags, unsigned{IFB_SAMPLING_IGNORE_EOS});
    EXPECT_THAT(each.adapters, Each(""));
  }
  EXPECT_EQ(engine.asked[0].flags, 0U);
  EXPECT_EQ(engine.asked[1].flags, unsigned{IFB_BATCH_STAMPS});
  EXPECT_FALSE(engine.asked[0].keep_texts);
  EXPECT_TRUE(engine.asked[1].keep_texts);
}

TEST_F(latency_runs, use_beam_search_with_the_width_that_n_gives) {
  scripted_executor engine(iterations_of(1));
  measure({"--num-iters-warmup", "0", "--num-iters", "1", "--use-beam-search", "--n", "5",
           "--disable-detokenize"},
          engine);
  ASSERT_THAT(engine.asked, SizeIs(1));
  EXPECT_EQ(engine.asked[0].mode, unsigned{IFB_BATCH_BEAM_SEARCH});
  EXPECT_EQ(engine.asked[0].sampling.beam_width, 5U);
  EXPECT_EQ(engine.asked[0].flags, unsigned{IFB_BATCH_NO_TEXT});
}

TEST_F(latency_runs, profile_one_iteration_after_the_warm_ups_and_return_no_result) {
  facts.profiler = "torch";
  facts.profile_path = "/tmp/traces";
  scripted_executor engine(iterations_of(2));
  const auto found = measure({"--num-iters-warmup", "1", "--profile"}, engine);
  EXPECT_FALSE(found.result.has_value());
  EXPECT_THAT(found.all.answers, IsEmpty());
  ASSERT_THAT(engine.asked, SizeIs(2));
  EXPECT_EQ(engine.asked[1].flags, unsigned{IFB_BATCH_PROFILE});
  EXPECT_EQ(kept.printed(),
            "Warming up...\nProfiling with torch (results will be saved to '/tmp/traces')...\n");
}

TEST_F(latency_runs, print_no_folder_if_the_profiler_writes_no_files) {
  facts.profiler = "cuda";
  scripted_executor engine(iterations_of(1));
  measure({"--num-iters-warmup", "0", "--profile"}, engine);
  EXPECT_EQ(kept.printed(), "Warming up...\nProfiling with cuda...\n");
}

TEST_F(latency_runs, refuse_a_profile_if_the_engine_has_no_profiler) {
  scripted_executor engine(iterations_of(1));
  EXPECT_THAT(refusal({"--profile"}, engine),
              ::testing::StartsWith("1: --profile: the engine has no profiler"));
  EXPECT_EQ(kept.printed(), "");
}

TEST_F(latency_runs, stop_at_the_first_request_that_fails) {
  std::vector<batch_outcome> outcomes = iterations_of(1);
  outcomes.push_back(outcome_of(one_ms, {answer_with(4, 6), failed_answer("out of\nblocks")}));
  scripted_executor engine(std::move(outcomes));
  EXPECT_EQ(refusal({"--num-iters-warmup", "0", "--num-iters", "3"}, engine),
            "1: a request of the batch failed: out of blocks");
  EXPECT_THAT(engine.asked, SizeIs(2));
}

TEST_F(latency_runs, fail_when_a_request_of_the_warm_up_or_of_the_profiled_iteration_fails) {
  facts.profiler = "torch";
  for (const char* warmups : {"0", "1"}) {
    SCOPED_TRACE(warmups);
    scripted_executor engine({outcome_of(one_ms, {failed_answer("broken")})});
    EXPECT_EQ(refusal({"--num-iters-warmup", warmups, "--profile"}, engine),
              "1: a request of the batch failed: broken");
  }
}

TEST_F(latency_runs, stop_between_two_iterations_if_the_user_asks_for_it) {
  kept.looks_left = 3;  // the third check finds that the user has stopped the program
  scripted_executor engine(iterations_of(9));
  EXPECT_EQ(refusal({"--num-iters-warmup", "2", "--num-iters", "7"}, engine),
            "1: stopped by the user");
  EXPECT_THAT(engine.asked, SizeIs(3));
}

TEST_F(latency_runs, refuse_lengths_that_do_not_fit_before_the_engine_runs) {
  facts.max_model_len = 9;
  scripted_executor engine(iterations_of(1));
  EXPECT_EQ(refusal({}, engine),
            "1: the prompt of 4 tokens and the output of 6 tokens exceed the engine's 9 tokens; "
            "use shorter lengths, or raise --max-model-len");
  EXPECT_THAT(engine.asked, IsEmpty());
}

}  // namespace
}  // namespace inferbench::batch
