#include "observe/prefix_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/observe/fact_of.hpp"

namespace inferbench::observe {
namespace {

client::record record(std::int64_t sampled, std::int64_t prompt, std::int64_t cached,
                      ifb_status status = IFB_OK) {
  client::record out;
  out.sample_tokens = sampled;
  out.prompt_tokens = prompt;
  out.cached_tokens = cached;
  out.status = status;
  return out;
}

/// 100 requests of 1000 tokens, without tokens around the prompts.
cache_view view(std::optional<double> shared, std::optional<prefix_cache_counts> counted,
                std::int64_t cached = -1) {
  cache_view out;
  if (shared) out.shared = prompts::shared_prefixes{*shared, *shared};
  out.counted = counted;
  for (int i = 0; i < 100; ++i)
    out.answers.add(record(1000, 1000, cached));
  return out;
}

std::string warning(const cache_view& of) {
  const cache_verdict out = judge_cache(of);
  return out.warning ? out.line : "";
}

TEST(cached_answers, are_sums_over_successful_requests) {
  cached_answers sums;
  sums.add(record(90, 100, 40));
  sums.add(record(100, 100, -1));
  sums.add(record(-1, 100, 0));
  sums.add(record(100, 100, 50, IFB_E_IO));
  EXPECT_EQ(sums.requests, 3U);
  EXPECT_EQ(sums.prompt_tokens, 300);
  EXPECT_EQ(sums.around, 10 + 8 + 8 + 32);
  EXPECT_EQ(sums.said_cached, 40);
  EXPECT_EQ(sums.said_prompt, 200);
}

TEST(observed_share, comes_from_the_answers_or_else_from_the_servers_counters) {
  EXPECT_EQ(observed_share(view({}, {{1000, 400}}, 500)), 0.5);
  EXPECT_EQ(observed_share(view({}, {{1000, 400}})), 0.4);
  EXPECT_EQ(observed_share(view({}, {{1000, 400}}, 0)), 0.4) << "some servers always report 0";
  EXPECT_EQ(observed_share(view({}, {}, 0)), 0);
  EXPECT_EQ(observed_share(view({}, {{0, 0}})), 0) << "nothing was looked up";
  EXPECT_EQ(observed_share(view({}, {})), std::nullopt);
  EXPECT_EQ(observed_share({{}, prefix_cache_counts{0, 0}, {}}), std::nullopt);
  EXPECT_EQ(observed_share(view({}, {}, 2000)), 1) << "the share is at most 1";
}

// Acceptance check 7 of the specification.
TEST(judge_cache, without_an_expected_share_warns_from_one_in_a_hundred_on) {
  EXPECT_EQ(warning(view({}, {{100, 98}})),
            "98.0% of the prompt tokens came from the server's prefix cache: from prefixes that "
            "prompts of this run share, or from earlier runs, which then make throughput look "
            "better than it is; to avoid that, give each run prompts of its own with --salt auto, "
            "empty the cache (POST /reset_prefix_cache) or restart the server");
  EXPECT_THAT(warning(view({}, {{1000, 10}})), ::testing::HasSubstr("1.0% of"));
  EXPECT_EQ(judge_cache(view({}, {{1000, 9}})).line, "");
  EXPECT_EQ(judge_cache(view({}, {})).line, "");
}

TEST(judge_cache, warns_of_a_cache_that_was_warm) {
  EXPECT_EQ(warning(view(0.0, {{100, 98}})),
            "98.0% of the prompt tokens came from the server's prefix cache, but the prompts of "
            "this run share only 0.0%: the rest was there before, which makes throughput look "
            "better than it is; give each run prompts of its own with --salt auto, empty the cache "
            "(POST /reset_prefix_cache) or restart the server");
  EXPECT_NE(warning(view(0.5, {}, 700)), "");
  EXPECT_EQ(warning(view(0.5, {}, 600)), "") << "the numbers of bytes and tokens differ";
  EXPECT_NE(warning(view(0.9, {}, 985)), "") << "almost all tokens are shared";
  EXPECT_EQ(warning(view(0.9, {}, 930)), "");
}

TEST(judge_cache, of_salted_prompts_does_not_advise_a_salt) {
  cache_view salted = view(0.0, {{100, 98}});
  salted.salted = true;
  EXPECT_THAT(warning(salted), ::testing::EndsWith("; the salt was used before, or others send the "
                                                   "same prompts"));
}

TEST(judge_cache, of_salted_prompts_that_cannot_be_compared_only_informs) {
  cache_view salted = view({}, {{100, 50}});
  salted.salted = true;
  EXPECT_FALSE(judge_cache(salted).warning);
  EXPECT_EQ(judge_cache(salted).line,
            "50.0% of the prompt tokens came from the server's prefix cache: from prefixes that "
            "prompts of this run share");
}

TEST(judge_cache, the_servers_chat_template_may_come_from_the_cache) {
  cache_view of;
  of.shared = prompts::shared_prefixes{0, 0};
  for (int i = 0; i < 10; ++i)
    of.answers.add(record(100, 140, 32));
  EXPECT_EQ(warning(of), "") << "32 of 140 tokens; 40 are the template's";
  of.answers = {};
  for (int i = 0; i < 10; ++i)
    of.answers.add(record(100, 140, 80));
  EXPECT_NE(warning(of), "");
}

TEST(judge_cache, warns_of_a_cache_that_gives_far_less_than_is_shared) {
  EXPECT_EQ(
      warning(view(0.6, {{1000, 10}})),
      "only 1.0% of the prompt tokens came from the server's prefix cache, but the prompts of "
      "this run share 60.0%: the cache is switched off or too small, or prompts that share "
      "were under way at the same time");
  EXPECT_NE(warning(view(0.6, {{0, 0}})), "") << "a server without a prefix cache";
  EXPECT_EQ(warning(view(0.6, {{1000, 310}})), "");
  EXPECT_EQ(judge_cache(view(0.09, {{1000, 0}})).line, "") << "little was asked for";
  EXPECT_EQ(judge_cache(view(0.6, {})).line, "") << "nobody says";
}

TEST(judge_cache, expects_no_more_than_whole_blocks) {
  cache_view of = view(0.3, {{1000, 0}});
  of.shared->in_blocks = 0.05;
  EXPECT_EQ(judge_cache(of).line, "");
}

TEST(judge_cache, expects_no_cache_of_adapters_and_pooling) {
  cache_view of = view(0.6, {{1000, 10}});
  of.may_be_less = true;
  EXPECT_EQ(warning(of), "");
}

TEST(judge_cache, reports_hits_of_the_runs_own_prompts_without_a_warning) {
  const cache_verdict told = judge_cache(view(0.5, {{1000, 480}}));
  EXPECT_FALSE(told.warning);
  EXPECT_EQ(told.line,
            "48.0% of the prompt tokens came from the server's prefix cache; the prompts of this "
            "run share 50.0%");
  EXPECT_EQ(judge_cache(view(0.0, {{1000, 0}})).line, "");
}

std::string fact(const cache_view& of) {
  metrics::context run;
  add_cache_fact(of, run);
  return fact_of(run, "prefix_cache");
}

TEST(prefix_cache, of_a_run_is_a_fact) {
  EXPECT_EQ(fact(view(0.25, {{200, 50}})),
            R"({"queries": 200, "hits": 50, "hit_rate": 0.25, "expected_share": 0.25, )"
            R"("observed_share": 0.25})");
  EXPECT_EQ(fact(view(0.25, {}, 500)), R"({"expected_share": 0.25, "observed_share": 0.5})");
  EXPECT_EQ(fact(view(0.25, {})), R"({"expected_share": 0.25})");
  EXPECT_EQ(fact(view({}, {{0, 0}})), R"({"observed_share": 0.0})");
  EXPECT_EQ(fact(view({}, {})), "");
}

}  // namespace
}  // namespace inferbench::observe
