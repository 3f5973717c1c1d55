#include "run/resolved.hpp"

#include <limits>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "metrics/steady_state.hpp"
#include "options/node.hpp"

namespace inferbench::run {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

config::plan some_plan() {
  config::plan plan;
  plan.json = R"({"run": {"seed": 1}})";
  plan.backend.use = "vllm";
  plan.num_prompts = 20;
  plan.load.traffic = schedule::at_once{};
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

TEST(resolved, a_least_window_of_zero_is_not_the_same_as_none) {
  config::plan plan = some_plan();
  const facts found{"m", "", false, false};
  const auto text = [&] { return config_json(plan, found, context_of(plan, found)); };
  EXPECT_EQ(context_from(text()).steady_state.min_window_ns, std::nullopt);
  EXPECT_THAT(text(), ::testing::Not(::testing::HasSubstr("min_window_ns")));
  plan.metrics.steady_state.min_window_ns = 0;
  EXPECT_EQ(context_from(text()).steady_state.min_window_ns, 0U);
}

TEST(resolved, a_threshold_that_is_no_share_is_left_at_the_default) {
  const auto read = [](const std::string& threshold) {
    return context_from(R"({"resolved": {"steady_state": {"threshold": )" + threshold + "}}}")
        .steady_state.threshold;
  };
  EXPECT_EQ(read("0.25"), 0.25);
  EXPECT_EQ(read("1"), 1.0);
  for (const char* bad : {"0", "-1", "1.0000001", "1e300", "-1e300", "\"1\"", "null"})
    EXPECT_EQ(read(bad), 0.95) << bad;
}

TEST(resolved, a_ramp_up_has_no_steady_state) {
  config::plan plan = some_plan();
  EXPECT_TRUE(context_of(plan, {"m", "", false, false}).steady_state.wanted);
  plan.load.traffic = schedule::ramp{false, 1, 10};
  const facts found{"m", "", false, false};
  EXPECT_FALSE(context_of(plan, found).steady_state.wanted);
  EXPECT_FALSE(context_from(config_json(plan, found, context_of(plan, found))).steady_state.wanted);
}

TEST(resolved, a_pattern_of_ours_is_told_by_its_text_and_has_neither_rate_nor_steady_state) {
  config::plan plan = some_plan();
  const facts found{"m", "", false, false};
  EXPECT_THAT(config_json(plan, found, context_of(plan, found)),
              testing::Not(testing::HasSubstr(R"("traffic")")));
  plan.load.traffic = schedule::steps{{{0, 10}, {30'000'000'000, 50}}};
  const metrics::context context = context_of(plan, found);
  EXPECT_EQ(context.request_rate, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(metrics::has_steady_state(context));
  const std::string json = config_json(plan, found, context);
  EXPECT_THAT(json, testing::HasSubstr(R"("ramp_up": null, "traffic": "steps:0s=10,30s=50", )"));
  EXPECT_TRUE(context_from(json).paced());
  EXPECT_FALSE(metrics::has_steady_state(context_from(json)));
}

TEST(resolved, whether_requests_are_due_one_after_the_other_survives_the_journal) {
  const auto paced = [](const config::plan& plan, bool self_timed) {
    const facts found{"m", "", false, self_timed};
    const metrics::context context = context_of(plan, found);
    EXPECT_EQ(context_from(config_json(plan, found, context)).paced(), context.paced());
    return context.paced();
  };
  config::plan plan = some_plan();
  EXPECT_FALSE(paced(plan, false));
  EXPECT_TRUE(paced(plan, true));
  plan.load.traffic = schedule::ramp{false, 1, 10};
  EXPECT_TRUE(paced(plan, false));
  plan.load.traffic = schedule::constant{5};
  EXPECT_TRUE(paced(plan, false));
}

TEST(resolved, a_journal_that_is_nested_without_end_is_refused) {
  const auto nested = [](std::size_t levels) {
    return R"({"backend": {"extra-body": )" + std::string(levels, '[') + std::string(levels, ']') +
           R"(}, "resolved": {}})";
  };
  // The deepest nesting that a value of a plan can have.
  EXPECT_EQ(context_from(nested(options::deepest + 1)).planned, 0);
  EXPECT_EQ(context_from(with_summary(nested(options::deepest + 1), true)).bounded, true);
  for (const std::size_t levels : {std::size_t{options::deepest} + 20, std::size_t{200'000}}) {
    EXPECT_THROW(std::ignore = context_from(nested(levels)), base::error);
    EXPECT_THROW(std::ignore = with_summary(nested(levels), true), base::error);
  }
}

TEST(resolved, says_how_requests_were_paced_and_which_run_it_was) {
  config::plan plan = some_plan();
  facts found{"m", "", false, true, {2, 3}, {}};
  const auto text = [&] {
    return base::to_text(*base::find(
        base::parse_json(config_json(plan, found, context_of(plan, found)), "t"), "resolved"));
  };
  EXPECT_THAT(text(), ::testing::HasSubstr(R"("ramp_up": null, "self_timed": true, )"));
  EXPECT_THAT(text(), ::testing::HasSubstr(R"("run": {"number": 2, "of": 3})"));
  found.self_timed = false;
  plan.load.traffic = schedule::ramp{true, 1, 10};
  EXPECT_THAT(text(), ::testing::HasSubstr(
                          R"("ramp_up": {"strategy": "exponential", "start": 1.0, "end": 10.0}, )"
                          R"("self_timed": false)"));
}

TEST(resolved, a_trace_has_the_infinite_rate_of_upstream_and_no_steady_state) {
  config::plan plan = some_plan();
  plan.load.traffic = schedule::constant{5};  // no effect: the trace has the times
  const facts found{"m", "", false, true};
  const metrics::context context = context_of(plan, found);
  EXPECT_EQ(context.request_rate, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(metrics::has_steady_state(context));
  const std::string json = config_json(plan, found, context);
  EXPECT_THAT(json, ::testing::HasSubstr(R"("request_rate": "inf")"));
  EXPECT_FALSE(metrics::has_steady_state(context_from(json)));
}

TEST(resolved, the_zero_rate_of_a_trace_in_an_older_journal_is_infinite) {
  const metrics::context back = context_from(
      R"({"resolved": {"request_rate": 0.0, "self_timed": true, "max_concurrency": 8}})");
  EXPECT_EQ(back.request_rate, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(metrics::has_steady_state(back));
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
