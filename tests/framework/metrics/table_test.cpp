#include "metrics/table.hpp"

#include <array>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "metrics/accumulator.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing::ElementsAre;
using testing_::late;
using testing_::success;

TEST(table, every_figure_is_described_once_and_whole) {
  std::set<std::string> names;
  for (const definition& d : table()) {
    EXPECT_TRUE(names.insert(d.name).second) << d.name;
    EXPECT_EQ(find(d.name), &d);
    EXPECT_EQ(&define(d.id), &d);
    for (const char* text : {d.unit, d.title, d.label, d.help})
      EXPECT_STRNE(text, "") << d.name;
  }
  EXPECT_EQ(find("ttfts"), nullptr);
}

TEST(table, summaries_are_in_milliseconds_and_no_whole_numbers) {
  for (const definition& d : table()) {
    if ((d.flags & IFB_METRIC_SUMMARY) == 0) continue;
    EXPECT_STREQ(d.unit, "ms") << d.name;
    EXPECT_EQ(d.flags & IFB_METRIC_INTEGER, 0U) << d.name;
  }
}

// The console has 50 columns for a title and 40 columns for the label of a line.
TEST(table, figures_on_the_console_fit_their_columns) {
  for (const definition& d : table()) {
    EXPECT_LE(std::string(d.title).size(), 50U) << d.name;
    EXPECT_LE(("Median " + std::string(d.label) + " (ms):").size(), 40U) << d.name;
  }
}

TEST(table, upstreams_sections_have_upstreams_titles) {
  EXPECT_STREQ(define(metric::ttft).title, "Time to First Token");
  EXPECT_STREQ(define(metric::tpot).title, "Time per Output Token (excl. 1st token)");
  EXPECT_STREQ(define(metric::itl).title, "Inter-token Latency");
  EXPECT_STREQ(define(metric::e2el).title, "End-to-end Latency");
  EXPECT_STREQ(define(metric::client_queue_time).title, "Client-side Queueing");
  EXPECT_STREQ(define(metric::e2el_including_client_queue).title,
               "Queue-inclusive End-to-end Latency");
}

TEST(table, a_summary_has_values_and_a_number_has_none) {
  for (const definition& d : table()) {
    const bool summary =
        std::holds_alternative<of_request>(d.how) || std::holds_alternative<of_gaps>(d.how);
    EXPECT_EQ((d.flags & IFB_METRIC_SUMMARY) != 0, summary) << d.name;
  }
}

// The functions of a table with other figures: half of the duration of each answer, under two
// names, and a number.
std::optional<latency> half(const request_times& r) {
  return r.part(arrival::first, arrival::last, 2);
}
standing always(const context&) { return standing::reported; }
constexpr auto beyond = static_cast<std::size_t>(metric::count);
constexpr std::array strange_figures = {
    definition{static_cast<metric>(beyond), "half", "ms", "Half", "Half", "half of it",
               IFB_METRIC_SUMMARY, always, half, printed::median_and_p99},
    definition{static_cast<metric>(beyond + 1), "half_again", "ms", "Half Again", "Half again",
               "half of it", IFB_METRIC_SUMMARY, always, half, printed::nothing},
    definition{static_cast<metric>(beyond + 2), "good_inputs", "token", "Good Inputs",
               "Good inputs", "input of good answers, on average", 0, always,
               [](const outcome& o) { return number(o.sums.input) / number(o.good); },
               printed::nothing},
};

std::vector<std::string> names_of(const report& figures) {
  std::vector<std::string> out;
  for (const ifb_metric& m : figures.metrics())
    out.emplace_back(m.name);
  return out;
}

TEST(table, a_row_is_all_that_a_figure_needs) {
  for (const bool bounded : {false, true}) {
    context run;
    run.bounded = bounded;
    run.started_ns = testing_::origin;
    run.goodput = {{"half", 20}};
    accumulator all(run, strange_figures);
    all.add(late(success({0, 0, 0, {100, 130}, 0, 30, 2}), {.events = {{1, 4}}}));
    accumulator other(run, strange_figures);
    (bounded ? other : all).add(success({1, 0, 0, {100, 150}, 0, 10, 2}));
    if (bounded) all.merge(other);

    const report found = all.finish(run);
    EXPECT_THAT(names_of(found), ElementsAre("half", "half_again", "good_inputs"));
    for (const char* name : {"half", "half_again"}) {
      const ifb_metric& m = *found.find(name);
      EXPECT_EQ(m.count, 2U);
      EXPECT_DOUBLE_EQ(m.value, 20);
      EXPECT_NEAR(m.maximum, 25, 1e-6);
      EXPECT_EQ(m.quantile_count, 3U);
    }
    EXPECT_EQ(found.find("good_inputs")->value, 40);  // of 40 tokens and one good answer

    const std::vector<error_bound> bounds = all.bounds(run);
    ASSERT_EQ(bounds.size(), 2U);
    for (const error_bound& each : bounds)
      EXPECT_NEAR(each.mean.ms, 1, 2e-6);  // half of 4 ms, in one answer of two
  }
}

TEST(table, every_figure_is_described_in_the_document_for_reporters) {
  const std::string page = base::read_file(INFERBENCH_SOURCE "/docs/run-description.md");
  std::string rows = "| name | unit | kind | formula |\n|---|---|---|---|\n";
  for (const definition& d : table()) {
    const char* const kind = (d.flags & IFB_METRIC_SUMMARY) != 0   ? "summary"
                             : (d.flags & IFB_METRIC_INTEGER) != 0 ? "whole number"
                                                                   : "number";
    const std::string row =
        std::string("| `") + d.name + "` | " + d.unit + " | " + kind + " | " + d.help + " |\n";
    EXPECT_THAT(page, testing::HasSubstr(row));
    rows += row;
  }
  EXPECT_TRUE(page.find(rows) != std::string::npos) << "a row too many, or in another place";
}

// Every row reaches the report of some run, in the order of the table.
TEST(table, no_row_is_left_out) {
  context run;
  run.duration_s = 1;
  run.max_concurrency = 4;
  run.request_rate = 10;
  run.cached_tokens = true;
  run.goodput = {{"ttft", 1000}};
  for (const definition& d : table())
    if (std::holds_alternative<of_context>(d.how)) run.beside.emplace_back(d.id, 1);
  accumulator streams(run);
  std::vector<double> events;
  for (int i = 0; i < 100; ++i)
    events.push_back(100 + i);
  client::record answer = success({0, 0, 1, events, 0, 30, 100});
  answer.first_answer_ns = answer.first_text_ns;
  streams.add(answer);
  const report generation = streams.finish(run);
  run.pooling = true;
  accumulator answers(run);
  answers.add(success({0, 0, 1, {}, 50, 30, 0}));
  const report pooling = answers.finish(run);
  for (const definition& d : table()) {
    const ifb_metric* found = generation.find(d.name);
    if (found == nullptr) found = pooling.find(d.name);
    ASSERT_NE(found, nullptr) << d.name;
    EXPECT_EQ(found->count > 0, (d.flags & IFB_METRIC_SUMMARY) != 0) << d.name;
  }
}

}  // namespace
}  // namespace inferbench::metrics
