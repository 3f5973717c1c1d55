#include "observe/series_log.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/json.hpp"

namespace inferbench::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t run_start_ns = 100 * base::ns_per_s;

constexpr std::uint32_t gauge_index = 0;
constexpr std::uint32_t counter_index = 1;

records::observation definitions() {
  records::observation out;
  out.url = "http://h:8000/metrics";
  out.server = "vllm";
  out.interval_ns = base::ns_per_s;
  out.series = {{gauge_index, "running", "vllm:num_requests_running", "requests", false, "sum", {}},
                {counter_index,
                 "generation_tokens",
                 "vllm:generation_tokens_total",
                 "tokens/s",
                 true,
                 "sum",
                 {}}};
  return out;
}

/// A reading `at_s` seconds after the start.
records::observation reading(double at_s, double running, double tokens, bool fresh = false) {
  records::observation out;
  out.at_ns = run_start_ns + static_cast<std::uint64_t>(at_s * 1e9);
  out.values = {{gauge_index, false, false, running}, {counter_index, true, fresh, tokens}};
  return out;
}

records::observation failed_reading(double at_s, const std::string& error) {
  records::observation out;
  out.at_ns = run_start_ns + static_cast<std::uint64_t>(at_s * 1e9);
  out.error = error;
  return out;
}

/// A member of the first source, or of its series `name`, as JSON.
std::string member_of(const series_log& log, const char* member, const std::string& name = {}) {
  const auto json = base::parse_json(log.to_json(), "the fact");
  const auto& source = json["sources"][0];
  if (name.empty()) return base::to_text(source[member]);
  for (const auto& one : source["series"].GetArray())
    if (name == one["name"].GetString()) return base::to_text(one[member]);
  return "no such series";
}

TEST(series_log, a_gauge_is_what_the_page_said_and_a_counter_a_rate) {
  series_log log(run_start_ns);
  log.add(definitions());
  log.add(reading(0, 4, 1000));
  log.add(reading(1, 6, 1100));
  log.add(reading(3, 5, 1400));
  EXPECT_EQ(member_of(log, "at_s"), "[0.0, 1.0, 3.0]");
  EXPECT_EQ(member_of(log, "values", "running"), "[4, 6, 5]");
  EXPECT_EQ(member_of(log, "values", "generation_tokens"), "[null, 100, 150]");
  EXPECT_EQ(member_of(log, "total", "generation_tokens"), "400");
  EXPECT_EQ(member_of(log, "unit", "generation_tokens"), "\"tokens/s\"");
  EXPECT_EQ(member_of(log, "server"), "\"vllm\"");
  EXPECT_EQ(member_of(log, "scrapes"), "3");
  EXPECT_EQ(member_of(log, "first_error"), "null");
}

TEST(series_log, a_failed_reading_is_a_gap_and_the_next_rate_covers_it) {
  series_log log(run_start_ns);
  log.add(definitions());
  log.add(reading(0, 4, 1000));
  log.add(failed_reading(1, "HTTP 503"));
  log.add(failed_reading(2, "HTTP 500"));
  log.add(reading(3, 5, 1300));
  EXPECT_EQ(member_of(log, "values", "running"), "[4, null, null, 5]");
  EXPECT_EQ(member_of(log, "values", "generation_tokens"), "[null, null, null, 100]");
  EXPECT_EQ(member_of(log, "failed"), "2");
  EXPECT_EQ(member_of(log, "first_error"), "\"HTTP 503\"");
  EXPECT_THAT(log.warnings(), IsEmpty());
}

TEST(series_log, a_restarted_server_is_a_gap_and_no_negative_rate) {
  series_log log(run_start_ns);
  log.add(definitions());
  log.add(reading(0, 4, 1000));
  log.add(reading(1, 4, 1100));
  log.add(reading(2, 4, 30));
  log.add(reading(3, 4, 80));
  EXPECT_EQ(member_of(log, "values", "generation_tokens"), "[null, 100, null, 50]");
  EXPECT_EQ(member_of(log, "total", "generation_tokens"), "150");
}

TEST(series_log, a_counter_with_other_label_sets_is_a_gap) {
  series_log log(run_start_ns);
  log.add(definitions());
  log.add(reading(0, 4, 1000));
  log.add(reading(1, 4, 9000, true));
  log.add(reading(2, 4, 9010));
  EXPECT_EQ(member_of(log, "values", "generation_tokens"), "[null, null, 10]");
}

TEST(series_log, two_counters_give_the_share_of_each_interval) {
  series_log log(run_start_ns);
  records::observation defined;
  defined.url = "u";
  defined.series = {{0, "prefix_cache_queries", "q_total", "tokens/s", true, "sum", {}},
                    {1, "prefix_cache_hits", "h_total", "tokens/s", true, "sum", {}}};
  log.add(defined);
  const auto counts = [](double at_s, double queries, double hits) {
    records::observation out;
    out.at_ns = run_start_ns + static_cast<std::uint64_t>(at_s * 1e9);
    out.values = {{0, true, false, queries}, {1, true, false, hits}};
    return out;
  };
  log.add(counts(0, 100, 50));
  log.add(counts(1, 200, 75));
  log.add(counts(2, 200, 75));
  EXPECT_EQ(member_of(log, "values", "prefix_hit_rate"), "[null, 0.25, null]")
      << "no query, no share";
  EXPECT_EQ(member_of(log, "metric", "prefix_hit_rate"), "\"h_total / q_total\"");
}

TEST(series_log, a_series_that_appears_late_begins_with_gaps) {
  series_log log(run_start_ns);
  records::observation first = definitions();
  first.series.pop_back();
  log.add(first);
  records::observation early = reading(0, 1, 0);
  early.values.pop_back();
  log.add(early);
  log.add(definitions());
  log.add(reading(1, 2, 10));
  log.add(reading(2, 3, 20));
  EXPECT_EQ(member_of(log, "values", "generation_tokens"), "[null, null, 10]");
}

TEST(series_log, definitions_may_come_after_the_values) {
  series_log log(run_start_ns);
  log.add(reading(0, 4, 1000));
  log.add(reading(1, 6, 1100));
  EXPECT_EQ(member_of(log, "series"), "[]") << "their names are lost";
  log.add(definitions());
  EXPECT_EQ(member_of(log, "values", "running"), "[4, 6]");
  EXPECT_EQ(member_of(log, "values", "generation_tokens"), "[null, 100]");
}

TEST(series_log, a_reading_before_the_start_has_a_negative_time) {
  series_log log(run_start_ns);
  log.add(definitions());
  records::observation early = reading(0, 1, 1);
  early.at_ns = run_start_ns - base::ns_per_s / 2;
  log.add(early);
  EXPECT_EQ(member_of(log, "at_s"), "[-0.5]");
}

TEST(series_log, a_long_run_has_fewer_and_longer_points) {
  series_log log(run_start_ns);
  log.add(definitions());
  const std::size_t readings = series_log::most_points + 101;
  for (std::size_t i = 0; i < readings; ++i)
    log.add(reading(static_cast<double>(i), i % 2 == 0 ? 10 : 20, static_cast<double>(100 * i)));
  EXPECT_EQ(member_of(log, "scrapes_per_point"), "2");
  const auto json = base::parse_json(log.to_json(), "the fact");
  const auto& source = json["sources"][0];
  const std::size_t points = series_log::most_points / 2 + 51;
  ASSERT_EQ(source["at_s"].Size(), points);
  EXPECT_EQ(source["at_s"][0].GetDouble(), 0.5);
  EXPECT_EQ(source["at_s"][1].GetDouble(), 2.5);
  const auto& running = source["series"][0]["values"];
  ASSERT_EQ(running.Size(), points);
  EXPECT_EQ(running[0].GetDouble(), 15);
  EXPECT_EQ(running[static_cast<rapidjson::SizeType>(points - 2)].GetDouble(), 15);
  EXPECT_EQ(running[static_cast<rapidjson::SizeType>(points - 1)].GetDouble(), 10)
      << "the last point is one reading";
  EXPECT_EQ(source["series"][1]["values"][5].GetDouble(), 100);
  EXPECT_EQ(source["series"][1]["total"].GetDouble(), 100.0 * static_cast<double>(readings - 1));
}

TEST(series_log, many_series_have_fewer_points) {
  series_log log(run_start_ns);
  records::observation what;
  for (std::uint32_t i = 0; i < series_log::most_series; ++i) {
    what.series.push_back({i, "m", "m", "", false, "", {}});
    what.values.push_back({i, false, false, 1});
  }
  for (std::size_t i = 1; i <= 3000; ++i) {
    what.at_ns = run_start_ns + i;
    log.add(what);
  }
  const auto json = base::parse_json(log.to_json(), "the fact");
  EXPECT_LE(json["sources"][0]["at_s"].Size() * series_log::most_series, series_log::most_values);
}

TEST(series_log, numbers_beyond_the_limits_are_ignored) {
  series_log log(run_start_ns);
  records::observation what;
  what.series = {{UINT32_MAX, "m", "m", "", false, "", {}}};
  what.at_ns = 1;
  what.values = {{UINT32_MAX, false, false, 1}};
  for (std::uint32_t i = 0; i < 1000; ++i) {
    what.source = i * 1000;
    log.add(what);
  }
  const auto json = base::parse_json(log.to_json(), "the fact");
  EXPECT_EQ(json["sources"].Size(), series_log::most_sources);
  EXPECT_EQ(json["sources"][0]["series"].Size(), 0U);
}

TEST(series_log, times_that_go_back_and_values_that_are_no_numbers_are_no_points) {
  series_log log(run_start_ns);
  log.add(definitions());
  log.add(reading(2, 1, 1));
  log.add(reading(1, 2, 2));
  records::observation infinite = reading(3, INFINITY, NAN);
  log.add(infinite);
  EXPECT_EQ(member_of(log, "at_s"), "[2.0, 3.0]");
  EXPECT_EQ(member_of(log, "values", "running"), "[1, null]");
}

TEST(series_log, the_latest_values_are_known_during_the_run) {
  series_log log(run_start_ns);
  EXPECT_TRUE(log.empty());
  log.add(definitions());
  EXPECT_THAT(log.latest(), IsEmpty());
  log.add(reading(0, 4, 1000));
  ASSERT_THAT(log.latest(), SizeIs(1)) << "the counter has no rate yet";
  EXPECT_EQ(log.latest()[0].name, "running");
  EXPECT_EQ(log.latest()[0].unit, "requests");
  EXPECT_EQ(log.latest()[0].url, "http://h:8000/metrics");
  EXPECT_EQ(log.latest()[0].value, 4);
  log.add(reading(1, 5, 1100));
  ASSERT_THAT(log.latest(), SizeIs(2));
  EXPECT_EQ(log.latest()[1].value, 100);
  log.add(failed_reading(2, "x"));
  EXPECT_THAT(log.latest(), IsEmpty());
}

TEST(series_log, warns_about_a_source_that_never_answered_and_one_without_ready_names) {
  series_log log(run_start_ns);
  records::observation first;
  first.url = "http://a/metrics";
  log.add(first);
  log.add(failed_reading(1, "HTTP 404"));
  log.add(failed_reading(2, "HTTP 404"));
  records::observation second;
  second.source = 1;
  second.url = "http://b/metrics";
  second.at_ns = run_start_ns + 1;
  second.left_out = 7;
  log.add(second);
  EXPECT_THAT(log.warnings(),
              ElementsAre("--observe: none of 2 readings of http://a/metrics succeeded: HTTP 404",
                          HasSubstr("inferbench knows no metric of http://b/metrics; choose"),
                          HasSubstr("7 series of http://b/metrics are left out")));
}

}  // namespace
}  // namespace inferbench::observe
