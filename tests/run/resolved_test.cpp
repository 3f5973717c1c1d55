#include "run/resolved.hpp"

#include <limits>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/json.hpp"

namespace inferbench::run {
namespace {

using testing::ElementsAre;
using testing::Pair;

config::plan some_plan() {
  config::plan plan;
  plan.json = R"({"run": {"seed": 1}})";
  plan.backend.use = "vllm";
  plan.num_prompts = 20;
  plan.load.request_rate = std::numeric_limits<double>::infinity();
  plan.load.max_concurrency = 8;
  plan.metrics.selected = {"ttft", "e2el"};
  plan.metrics.percentiles = {50, 99.9};
  plan.metrics.goodput = {{"ttft", 100.5}};
  plan.metadata = {{"gpu", "H200"}};
  return plan;
}

TEST(resolved, the_context_of_figures_survives_the_journal) {
  const config::plan plan = some_plan();
  const facts found{"org/model", "", false, false};
  metrics::context context = context_of(plan, found);
  context.planned = 17;
  const metrics::context back = context_from(config_json(plan, found, context));
  EXPECT_EQ(back.planned, 17);
  EXPECT_EQ(back.pooling, context.pooling);
  EXPECT_FALSE(back.tokenizer);
  EXPECT_EQ(back.max_concurrency, 8);
  EXPECT_EQ(back.request_rate, std::numeric_limits<double>::infinity());
  EXPECT_THAT(back.selected, ElementsAre("ttft", "e2el"));
  EXPECT_THAT(back.percentiles, ElementsAre(50, 99.9));
  EXPECT_THAT(back.goodput, ElementsAre(Pair("ttft", 100.5)));
}

TEST(resolved, names_stand_beside_the_plan) {
  const config::plan plan = some_plan();
  const facts found{"org/model", "org/tokenizer", true, false};
  const auto json = base::parse_json(config_json(plan, found, context_of(plan, found)), "t");
  EXPECT_EQ(base::find(*base::find(json, "run"), "seed")->GetInt(), 1);
  const auto& resolved = *base::find(json, "resolved");
  EXPECT_EQ(base::text_of(base::find(resolved, "endpoint_type")), "vllm");
  EXPECT_EQ(base::text_of(base::find(resolved, "tokenizer_id")), "org/tokenizer");
  EXPECT_EQ(base::text_of(base::find(resolved, "task")), "pooling");
  EXPECT_EQ(base::text_of(base::find(resolved, "request_rate")), "inf");
  EXPECT_TRUE(base::find(resolved, "label")->IsNull());
  EXPECT_EQ(base::text_of(base::find(*base::find(resolved, "metadata"), "gpu")), "H200");
}

TEST(resolved, what_later_figures_depend_on_survives_the_journal) {
  config::plan plan = some_plan();
  const facts found{"m", "", false, false};
  EXPECT_FALSE(context_from(config_json(plan, found, context_of(plan, found))).cached_tokens);
  EXPECT_TRUE(context_from("{\"resolved\": {}}").steady_state.wanted);
  plan.metrics.cached_tokens = true;
  plan.metrics.steady_state = {false, 0.5, 7'000'000'000};
  const auto back = context_from(config_json(plan, found, context_of(plan, found)));
  EXPECT_TRUE(back.cached_tokens);
  EXPECT_FALSE(back.steady_state.wanted);
  EXPECT_EQ(back.steady_state.threshold, 0.5);
  EXPECT_EQ(back.steady_state.min_window_ns, 7'000'000'000U);
}

TEST(resolved, says_how_requests_were_paced_and_which_run_it_was) {
  config::plan plan = some_plan();
  facts found{"m", "", false, true, {2, 3}, {}};
  const auto text = [&] {
    return base::to_text(*base::find(
        base::parse_json(config_json(plan, found, context_of(plan, found)), "t"), "resolved"));
  };
  EXPECT_THAT(text(), testing::HasSubstr(R"("ramp_up": null, "self_timed": true, )"));
  EXPECT_THAT(text(), testing::HasSubstr(R"("run": {"number": 2, "of": 3})"));
  found.self_timed = false;
  plan.load.ramp_up = {true, 1, 10};
  EXPECT_THAT(text(), testing::HasSubstr(
                          R"("ramp_up": {"strategy": "exponential", "start": 1.0, "end": 10.0}, )"
                          R"("self_timed": false)"));
}

TEST(resolved, a_trace_has_no_rate) {
  EXPECT_EQ(context_of(some_plan(), {"m", "", false, true}).request_rate, 0);
}

TEST(resolved, how_figures_are_made_survives_the_journal_and_can_be_changed) {
  config::plan plan = some_plan();
  for (const bool bounded : {false, true}) {
    plan.metrics.bounded = bounded;
    const facts found{"m", "", false, false};
    const std::string json = config_json(plan, found, context_of(plan, found));
    EXPECT_EQ(context_from(json).bounded, bounded);
    EXPECT_EQ(context_from(with_summary(json, true)).bounded, true);
    EXPECT_EQ(context_from(with_summary(json, false)).bounded, false);
    EXPECT_EQ(context_from(with_summary(json, true)).percentiles, plan.metrics.percentiles);
  }
  for (const char* other : {"{}", "[]", R"({"resolved": 7})"})
    EXPECT_EQ(with_summary(other, true), other);
}

TEST(resolved, a_journal_that_says_nothing_is_refused) {
  EXPECT_THROW(std::ignore = context_from("{}"), base::error);
  EXPECT_THROW(std::ignore = context_from("not json"), base::error);
}

}  // namespace
}  // namespace inferbench::run
