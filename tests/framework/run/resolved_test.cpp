#include "run/resolved.hpp"

#include <limits>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "config/keys.hpp"
#include "metrics/context.hpp"
#include "metrics/steady_state.hpp"
#include "metrics/table.hpp"
#include "options/node.hpp"

namespace inferbench::run {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

config::plan some_plan() {
  config::plan plan;
  plan.backend.use = "vllm";
  plan.num_prompts = 20;
  plan.label = "first";
  plan.flags = {{"seed", "1"}};
  plan.load.traffic = schedule::at_once{};
  plan.load.max_concurrency = 8;
  plan.figures.selected = {"ttft", "e2el"};
  plan.figures.percentiles = {50, 99.9};
  plan.figures.goodput = {{"ttft", 100.5}};
  plan.metadata = {{"gpu", "H200"}};
  return plan;
}

/// The description of a run of `plan` against a server that serves the model org/model.
ifb::run_description described(const config::plan& plan, bool self_timed = false) {
  ifb::run_description out = description_of(plan);
  out.model_id = "org/model";
  describe_schedule(plan.load.traffic, self_timed, out);
  return out;
}

std::string text_of(const ifb::run_description& run) {
  return config_json(R"({"run": {"seed": 1}})", run);
}

bool may_have_steady_state(const ifb::run_description& run) {
  return metrics::has_steady_state(metrics::context(run));
}

// Journals contain these bytes, and reporters get them.
TEST(resolved, follows_the_plan_with_every_member) {
  ifb::run_description run = described(some_plan());
  run.tokenizer_id = "org/tokenizer";
  run.planned = 17;
  run.number = 2;
  run.runs = 3;
  EXPECT_EQ(
      text_of(run),
      R"({"run": {"seed": 1}, "resolved": {"endpoint_type": "vllm", "backend": "vllm", )"
      R"("label": "first", "model_id": "org/model", "tokenizer_id": "org/tokenizer", )"
      R"("num_prompts": 20, "planned": 17, "request_rate": "inf", "burstiness": 1.0, )"
      R"("ramp_up": null, "self_timed": false, "max_concurrency": 8, "task": "generation", )"
      R"("tokenizer": false, "metadata": {"gpu": "H200"}, "goodput": true, "summary": "exact", )"
      R"("selected": ["ttft", "e2el"], "percentiles": [50.0, 99.9], "slo_ms": {"ttft": 100.5}, )"
      R"("cached_tokens": false, "steady_state": {"wanted": true, "threshold": 0.95}, )"
      R"("flags": {"seed": 1}, "run": {"number": 2, "of": 3}}})");
}

TEST(resolved, members_without_a_value_are_null) {
  config::plan plan = some_plan();
  plan.label.reset();
  plan.load.max_concurrency.reset();
  EXPECT_THAT(text_of(described(plan)), HasSubstr(R"("label": null, )"));
  EXPECT_THAT(text_of(described(plan)), HasSubstr(R"("tokenizer_id": null, )"));
  EXPECT_THAT(text_of(described(plan)), HasSubstr(R"("max_concurrency": null, )"));
}

TEST(resolved, comes_back_from_the_journal_as_it_was) {
  config::plan plan = some_plan();
  plan.figures.cached_tokens = true;
  plan.figures.bounded = true;
  plan.figures.goodput = {{"ttft", 100.5}, {"e2el", std::numeric_limits<double>::infinity()}};
  plan.figures.steady_state = {false, 0.5, 7'000'000'000};
  for (const schedule::pattern& traffic :
       {schedule::pattern(schedule::at_once{}), schedule::pattern(schedule::constant{2.5}),
        schedule::pattern(schedule::ramp{true, 1, 10}),
        schedule::pattern(schedule::steps{{{0, 10}, {30'000'000'000, 50}}})})
    for (const bool self_timed : {false, true}) {
      plan.load.traffic = traffic;
      ifb::run_description run = described(plan, self_timed);
      run.pooling = true;
      const std::string text = text_of(run);
      EXPECT_EQ(text_of(description_from(text)), text);
    }
}

TEST(resolved, a_least_window_of_zero_is_not_the_same_as_none) {
  config::plan plan = some_plan();
  EXPECT_EQ(description_from(text_of(described(plan))).steady_state.min_window_ns, std::nullopt);
  EXPECT_THAT(text_of(described(plan)), Not(HasSubstr("min_window_ns")));
  plan.figures.steady_state.min_window_ns = 0;
  EXPECT_EQ(description_from(text_of(described(plan))).steady_state.min_window_ns, 0U);
}

TEST(resolved, a_threshold_that_is_not_a_share_is_replaced_by_the_default) {
  const auto read = [](const std::string& threshold) {
    return description_from(R"({"resolved": {"steady_state": {"threshold": )" + threshold + "}}}")
        .steady_state.threshold;
  };
  EXPECT_EQ(read("0.25"), 0.25);
  EXPECT_EQ(read("1"), 1.0);
  for (const char* bad : {"0", "-1", "1.0000001", "1e300", "-1e300", "\"1\"", "null"})
    EXPECT_EQ(read(bad), 0.95) << bad;
}

TEST(resolved, only_a_schedule_that_keeps_the_server_full_has_a_steady_state) {
  config::plan plan = some_plan();
  EXPECT_TRUE(may_have_steady_state(described(plan)));
  EXPECT_FALSE(may_have_steady_state(described(plan, true)));
  for (const schedule::pattern& traffic :
       {schedule::pattern(schedule::ramp{false, 1, 10}),
        schedule::pattern(schedule::steps{{{0, 10}, {30'000'000'000, 50}}})}) {
    plan.load.traffic = traffic;
    const ifb::run_description run = described(plan);
    EXPECT_FALSE(may_have_steady_state(run));
    EXPECT_FALSE(may_have_steady_state(description_from(text_of(run))));
  }
}

TEST(resolved, says_how_requests_are_paced) {
  config::plan plan = some_plan();
  EXPECT_FALSE(described(plan).paced());
  EXPECT_TRUE(described(plan, true).paced());
  plan.load.traffic = schedule::constant{5};
  EXPECT_TRUE(described(plan).paced());
  EXPECT_THAT(text_of(described(plan)), HasSubstr(R"("request_rate": 5.0, )"));
  plan.load.traffic = schedule::ramp{true, 1, 10};
  EXPECT_TRUE(described(plan).paced());
  EXPECT_THAT(text_of(described(plan)),
              HasSubstr(R"("ramp_up": {"strategy": "exponential", "start": 1.0, "end": 10.0}, )"
                        R"("self_timed": false)"));
  plan.load.traffic = schedule::steps{{{0, 10}, {30'000'000'000, 50}}};
  EXPECT_TRUE(described(plan).paced());
  EXPECT_THAT(text_of(described(plan)),
              HasSubstr(R"("request_rate": "inf", "burstiness": 1.0, "ramp_up": null, )"
                        R"("traffic": "steps:0s=10,30s=50", )"));
}

TEST(resolved, a_trace_has_the_infinite_rate_of_upstream) {
  config::plan plan = some_plan();
  plan.load.traffic = schedule::constant{5};  // not in force
  EXPECT_THAT(text_of(described(plan, true)), HasSubstr(R"("request_rate": "inf")"));
  plan.load.traffic = schedule::steps{{{0, 10}}};
  EXPECT_EQ(described(plan, true).traffic, "");
}

TEST(resolved, the_zero_rate_of_a_trace_in_an_older_journal_is_infinite) {
  const ifb::run_description back = description_from(
      R"({"resolved": {"request_rate": 0.0, "self_timed": true, "max_concurrency": 8}})");
  EXPECT_EQ(back.request_rate, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(may_have_steady_state(back));
}

TEST(resolved, a_journal_that_is_nested_without_end_is_refused) {
  const auto nested = [](std::size_t levels) {
    return R"({"backend": {"extra-body": )" + std::string(levels, '[') + std::string(levels, ']') +
           R"(}, "resolved": {}})";
  };
  // A value of a plan may be nested this deeply.
  EXPECT_EQ(description_from(nested(options::deepest + 1)).planned, 0);
  EXPECT_EQ(description_from(with_summary(nested(options::deepest + 1), true)).bounded, true);
  for (const std::size_t levels : {std::size_t{options::deepest} + 20, std::size_t{200'000}}) {
    EXPECT_THROW(std::ignore = description_from(nested(levels)), base::error);
    EXPECT_THROW(std::ignore = with_summary(nested(levels), true), base::error);
  }
}

TEST(resolved, says_how_figures_are_made_which_can_be_changed) {
  config::plan plan = some_plan();
  for (const bool bounded : {false, true}) {
    plan.figures.bounded = bounded;
    const std::string json = text_of(described(plan));
    EXPECT_EQ(description_from(json).bounded, bounded);
    EXPECT_EQ(description_from(with_summary(json, true)).bounded, true);
    EXPECT_EQ(description_from(with_summary(json, false)).bounded, false);
    EXPECT_EQ(description_from(with_summary(json, true)).percentiles, plan.figures.percentiles);
  }
  for (const char* other : {"{}", "[]", R"({"resolved": 7})"})
    EXPECT_EQ(with_summary(other, true), other);
}

TEST(resolved, has_the_goals_of_the_plan_which_can_be_changed) {
  config::plan plan = some_plan();
  EXPECT_THAT(text_of(described(plan)), Not(HasSubstr("thresholds")));
  plan.figures.thresholds = {"ttft.p99<200ms"};
  const std::string json = text_of(described(plan));
  EXPECT_THAT(json,
              HasSubstr(R"("thresholds": ["ttft.p99<200ms"], "thresholds_certain": false, )"));
  EXPECT_EQ(with_changes(json, {}), json);
  const auto changed = [&](const description_changes& changes) {
    return description_from(with_changes(json, changes));
  };
  EXPECT_EQ(changed({}).thresholds, plan.figures.thresholds);
  EXPECT_EQ(changed({.certain = true}).thresholds, plan.figures.thresholds);
  EXPECT_TRUE(changed({.certain = true}).thresholds_certain);
  EXPECT_THAT(changed({.goals = std::vector<std::string>{"failed<=1%"}}).thresholds,
              ::testing::ElementsAre("failed<=1%"));
  EXPECT_TRUE(changed({.bounded = true}).bounded);
  for (const char* other : {"{}", "[]", R"({"resolved": 7})"})
    EXPECT_EQ(with_changes(other, {.certain = true}), other);
}

TEST(resolved, a_journal_that_says_nothing_is_refused) {
  EXPECT_THROW(std::ignore = description_from("{}"), base::error);
  EXPECT_THROW(std::ignore = description_from("not json"), base::error);
}

// The list in config is a copy, because config does not use metrics.
TEST(resolved, the_names_of_percentile_metrics_are_the_rows_that_a_run_can_select) {
  metrics::context whole;
  whole.tokenizer = true;
  whole.max_concurrency = 8;
  whole.request_rate = 2;
  std::vector<std::string> selectable;
  for (const metrics::definition& row : metrics::table())
    if (row.in(whole) == metrics::standing::selectable) selectable.emplace_back(row.name);
  EXPECT_THAT(config::percentile_metrics(), ::testing::UnorderedElementsAreArray(selectable));
}

}  // namespace
}  // namespace inferbench::run
