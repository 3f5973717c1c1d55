#include "metrics/table.hpp"

#include <array>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/goodput.hpp"
#include "metrics/request_times.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing::ElementsAre;
using testing_::failure;
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

TEST(table, a_rate_is_better_if_it_is_higher_and_a_time_if_it_is_lower) {
  for (const definition& d : table()) {
    const std::string_view unit = d.unit;
    if (unit.ends_with("/s")) {
      EXPECT_EQ(d.better, direction::higher) << d.name;
    }
    if (unit == "ms" || unit == "s") {
      EXPECT_EQ(d.better, direction::lower) << d.name;
    }
  }
}

// `find` refuses a goal for a figure without amounts. The largest amount in one second is no rate
// over the time of the run, and figures of counters and probes have no amount of a request.
TEST(table, a_rate_over_the_time_of_the_run_has_the_amount_of_a_request) {
  for (const definition& d : table()) {
    const bool peak = std::string_view(d.name).ends_with("_per_s");
    const bool rate = std::string_view(d.unit).ends_with("/s") && !peak;
    if (std::holds_alternative<of_run>(d.how)) {
      EXPECT_EQ(d.amount != nullptr, rate) << d.name;
    }
  }
}

TEST(table, a_rate_is_the_sum_of_the_amounts_of_its_requests_per_second) {
  std::set<std::string> checked;
  for (const bool pooling : {false, true}) {
    context run;
    run.pooling = pooling;
    run.duration_s = 4;
    run.goodput = {{"ttft", 200}};
    client::record several = success({2, 0, 0, {150}, 160, 7, 3});
    several.attributes = {{"num_input_sequences", "5"}};
    const std::vector<client::record> records{
        success({0, 0, 0, {100, 130}, 0, 30, 2}), success({1, 0, 0, {300, 350}, 0, 10, 5}), several,
        failure({3, 0, 0, {100}, 0, 9, 4}, IFB_E_REMOTE, 500, "no")};
    accumulator all(run);
    const good_request good(table(), run.goodput);
    std::map<std::string, double> amounts;
    for (const client::record& each : records) {
      all.add(each);
      const request_times times = times_of(each, {run.pooling, run.paced()});
      if (!times.ok) continue;
      for (const definition& d : table())
        if (d.amount != nullptr) amounts[d.name] += d.amount(each, times, good);
    }
    const report found = all.finish(run);
    for (const auto& [name, amount] : amounts) {
      const ifb_metric* rate = found.find(name);
      if (rate == nullptr) continue;
      EXPECT_DOUBLE_EQ(rate->value, amount / run.duration_s) << name;
      checked.insert(name);
    }
  }
  for (const definition& d : table())
    EXPECT_EQ(checked.contains(d.name), d.amount != nullptr) << d.name;
}

/// The names in a list of web/src/analysis/direction.js.
std::set<std::string> names_on_the_page(const std::string& list) {
  const std::string page = base::read_file(INFERBENCH_SOURCE "/web/src/analysis/direction.js");
  const auto begin = page.find("const " + list + " = [");
  const std::string text = page.substr(begin, page.find(']', begin) - begin);
  const std::regex quoted("\"([a-z0-9_]+)\"");
  std::set<std::string> out;
  for (std::sregex_iterator each(text.begin(), text.end(), quoted), end; each != end; ++each)
    out.insert((*each)[1]);
  return out;
}

// The page judges only some figures, but all rates of requests and all times of requests. It also
// judges the rate of correct answers, which `compare` does not. It does
// not judge the client's own delay, and e2el_from_due has the values of
// e2el_including_client_queue.
TEST(table, the_page_judges_figures_as_their_rows_do) {
  const std::set<std::string> more = names_on_the_page("more");
  const std::set<std::string> less = names_on_the_page("less");
  for (const std::string& name : more) {
    ASSERT_NE(find(name), nullptr) << name;
    EXPECT_EQ(find(name)->better, direction::higher) << name;
  }
  for (const std::string& name : less) {
    ASSERT_NE(find(name), nullptr) << name;
    EXPECT_EQ(find(name)->better, direction::lower) << name;
  }
  for (const definition& d : table()) {
    const bool time = (d.flags & IFB_METRIC_SUMMARY) != 0 && !d.own_delay &&
                      d.id != metric::e2el_including_client_queue;
    if (d.amount != nullptr) {
      EXPECT_TRUE(more.contains(d.name)) << d.name;
    }
    if (time) {
      EXPECT_TRUE(less.contains(d.name)) << d.name;
    }
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
    all.add(success({1, 0, 0, {100, 150}, 0, 10, 2}));

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
