#include "reporters/pages/page_report.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/pages/page_reader.hpp"
#include "plugins/pages/synthetic_record.hpp"
#include "support/golden.hpp"

namespace {

using inferbench::pages_test::element_of;
using inferbench::pages_test::report_of;
using inferbench::pages_test::request_at;
using inferbench::pages_test::rows_of;
using inferbench::pages_test::run_started_ns;
using inferbench::pages_test::synthetic_record;
using reporters::page_report;
using reporters::page_run;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view small_page =
    "<html><title>{{title}}</title><body>{{data}}<script>\"{{data}}\"</script></body></html>";

constexpr std::string_view config =
    R"json({"server": {"base-url": ["http://u:secret@a:1", "http://b:2"], "proxy": "u:secret@p:3"},
        "run": {"seed": 7}, "dataset": {"use": "random"},
        "resolved": {"endpoint_type": "vllm", "backend": "vllm", "model_id": "m</script>",
                     "flags": {"backend": "vllm", "base-url": ["http://u:secret@a:1", "http://b:2"],
                               "request-rate": 10.0, "ignore-eos": true, "disable-shuffle": false,
                               "header": {"X-Key": "(cut)"}, "goodput": {"ttft": 100.0},
                               "metric-percentiles": [50.0, 99.9], "seed": null,
                               "extra-body": {"a": [1]}, "random-input-len": "-x y"}}})json";

std::unique_ptr<page_run> started(std::string_view config_json = config,
                                  std::string_view environment =
                                      R"({"machine": {"cores": 2}, "plugins": [{"id": "vllm",
                                          "version": "0.1.0", "sha256": "ab12"}]})") {
  ifb_run run{};
  run.struct_size = sizeof run;
  run.name = ifb::str("run-1");
  run.started_ns = run_started_ns;
  run.started_unix_ns = 1'795'155'000'000'000'000;
  run.config_json = ifb::str(config_json);
  run.environment_json = ifb::str(environment);
  return std::make_unique<page_run>(reporters::page_rows::settings{}, run);
}

void add_requests(page_run& to, std::vector<synthetic_record> records) {
  for (synthetic_record& each : records)
    to.records({&each.view(), 1, sizeof(ifb_record)});
}

std::vector<ifb_metric> some_metrics() {
  static constexpr ifb_quantile quantiles[] = {{0.5, 12.5}, {0.999, 80}};
  ifb_metric rate{};
  rate.struct_size = sizeof rate;
  rate.flags = IFB_METRIC_UPSTREAM;
  rate.name = "request_throughput";
  rate.unit = "req/s";
  rate.title = "Request throughput";
  rate.label = "";
  rate.help = "completed / duration";
  rate.value = std::numeric_limits<double>::infinity();
  ifb_metric ttft = rate;
  ttft.flags = IFB_METRIC_SUMMARY | IFB_METRIC_SELECTED | IFB_METRIC_UPSTREAM;
  ttft.name = "ttft";
  ttft.unit = "ms";
  ttft.title = "Time to First Token";
  ttft.label = "TTFT";
  ttft.help = "First token - start_ns < b";
  ttft.value = 13.25;
  ttft.count = 2;
  ttft.minimum = 1;
  ttft.maximum = 80;
  ttft.deviation = 0.5;
  ttft.median = 12.5;
  ttft.quantiles = quantiles;
  ttft.quantile_count = 2;
  return {rate, ttft};
}

ifb_summary summary_of(const std::vector<ifb_metric>& metrics,
                       std::string_view facts = R"({"client": {"verdict": "valid"}})",
                       std::uint32_t flags = 0) {
  ifb_summary out{};
  out.struct_size = sizeof out;
  out.flags = flags;
  out.finished_unix_ns = 1'795'155'009'500'000'000;
  out.metrics = metrics.data();
  out.metric_count = static_cast<std::uint32_t>(metrics.size());
  out.metric_stride = sizeof(ifb_metric);
  out.facts_json = ifb::str(facts);
  return out;
}

std::string written(const page_report& report, std::string_view title = "a run",
                    std::string_view page = small_page) {
  std::string out;
  report.write(page, title, [&](std::string_view text) { out += text; });
  return out;
}

page_report report_with(std::unique_ptr<page_run> run, const ifb_summary& summary) {
  page_report report("inferbench 0.0.0", 0);
  run->end(summary, {});
  report.add(std::move(run));
  return report;
}

TEST(page_report, a_run_is_written_as_documented) {
  auto run = started();
  synthetic_record failed = request_at(1, 20, {});
  failed.record.status = IFB_E_REMOTE;
  failed.record.http_status = 503;
  failed.record.server = 1;
  failed.error = "HTTP 503: </script><script>alert(1)</script>";
  synthetic_record never;
  never.record.status = IFB_E_CANCELLED;
  ifb_record unsent = never.view();
  unsent.start_ns = 0;
  add_requests(*run, {request_at(0, 10, {100, 26'000, 90'000}), failed});
  run->records({&unsent, 1, sizeof unsent});
  EXPECT_FALSE(run->empty());
  const auto metrics = some_metrics();
  const std::string page =
      written(report_with(std::move(run), summary_of(metrics, R"({"client": {"verdict": "valid"}})",
                                                     IFB_SUMMARY_INTERRUPTED)));
  // The compressed bytes differ between versions of zlib.
  std::string text = page;
  const std::string bytes = element_of(page, "rows-0");
  text.replace(text.find(bytes), bytes.size(), "(base64)");
  inferbench::support::expect_golden(text + "\n",
                                     std::string(INFERBENCH_FIXTURES) + "/reporters/page.html");
  EXPECT_THAT(page, Not(HasSubstr("secret")));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const auto rows = rows_of(page);
  ASSERT_EQ(rows.count, 2U);
  EXPECT_THAT(rows.gaps.at(0), testing::ElementsAre(25'900, 64'000));
  EXPECT_EQ(rows.at("status", 1), 5);
}

TEST(page_report, the_command_can_be_given_to_a_shell) {
  auto run = started();
  const auto report = report_of(written(report_with(std::move(run), summary_of({}))));
  EXPECT_STREQ(report["runs"][0]["command"].GetString(),
               "inferbench serve --backend vllm --base-url 'http://(cut)@a:1' http://b:2 "
               "--request-rate 10 --ignore-eos --disable-shuffle=false --header 'X-Key=(cut)' "
               "--goodput ttft:100 --metric-percentiles 50,99.9 --extra-body '{\"a\": [1]}' "
               "'--random-input-len=-x y'");
}

TEST(page_report, only_the_first_place_of_each_kind_is_filled_in_and_the_title_is_escaped) {
  auto run = started();
  const std::string page =
      written(report_with(std::move(run), summary_of({})), "{{data}}</title><b>");
  EXPECT_THAT(page, HasSubstr("<title>{{data}}&lt;/title&gt;&lt;b&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("<script>\"{{data}}\"</script>"));
  EXPECT_STREQ(report_of(page)["title"].GetString(), "{{data}}</title><b>");
}

TEST(page_report, what_is_not_json_becomes_empty) {
  auto run = started("not json", "[1]");
  EXPECT_TRUE(run->empty());
  const auto report =
      report_of(written(report_with(std::move(run), summary_of({}, "{\"a\": \xFF}"))));
  const auto& one = report["runs"][0];
  for (const char* name : {"description", "config", "environment", "facts"})
    EXPECT_TRUE(one[name].IsObject() && one[name].ObjectEmpty()) << name;
  EXPECT_STREQ(one["command"].GetString(), "");
  EXPECT_EQ(one["rows"]["count"].GetInt(), 0);
}

TEST(page_report, a_page_without_a_place_for_the_data_is_refused) {
  auto run = started();
  const page_report report = report_with(std::move(run), summary_of({}));
  for (const char* page : {"", "{{title}}", "{{data}}", "{{data}} {{title}}"})
    EXPECT_THROW((void)written(report, "t", page), ifb::failure) << page;
}

TEST(page_report, several_runs_have_their_axes_points_and_intervals) {
  const double unknown = std::numeric_limits<double>::infinity();
  page_report report("inferbench 0.0.0", 0);
  ifb_axis axis{sizeof axis, 0, "max_concurrency", "request", "Maximum request concurrency"};
  ifb_table table{};
  table.struct_size = sizeof table;
  table.name = ifb::str("table-1");
  table.command = ifb::str("inferbench report a.journal b.journal");
  table.axes = &axis;
  table.axis_count = 1;
  table.axis_stride = sizeof axis;
  report.begin(table);
  const ifb_interval interval{sizeof interval, 0,  "ttft",  "mean", "ms",
                              13.25,           12, unknown, 0.95,   40};
  for (const char* label : {"a", "b"}) {
    auto run = started();
    add_requests(*run, {request_at(0, 0, {1, label[0] == 'a' ? 3.0 : 4.0})});
    run->end(summary_of({}),
             {std::string(label) + ".journal",
              label,
              {{"max_concurrency", label[0] == 'a' ? "1" : "no json"}},
              0},
             {&interval, 1, sizeof interval});
    report.add(std::move(run));
  }
  const ifb_field place = ifb::field("max_concurrency", "1");
  const std::uint32_t runs[] = {0, 1};
  ifb_table_point point{};
  point.struct_size = sizeof point;
  point.axes = &place;
  point.axis_count = 1;
  point.runs = runs;
  point.run_count = 2;
  point.figures = &interval;
  point.figure_count = 1;
  point.figure_stride = sizeof interval;
  ifb_table_end end{};
  end.struct_size = sizeof end;
  end.flags = IFB_TABLE_INTERRUPTED;
  end.points = &point;
  end.point_count = 1;
  end.point_stride = sizeof point;
  end.facts_json = ifb::str(R"({"order": [0, 1]})");
  report.end(end);

  const std::string page = written(report);
  const auto read = report_of(page);
  EXPECT_STREQ(read["kind"].GetString(), "table");
  EXPECT_STREQ(read["command"].GetString(), "inferbench report a.journal b.journal");
  EXPECT_TRUE(read["interrupted"].GetBool());
  EXPECT_EQ(read["facts"]["order"][1].GetInt(), 1);
  EXPECT_STREQ(read["axes"][0]["unit"].GetString(), "request");
  EXPECT_EQ(read["points"][0]["runs"][1].GetInt(), 1);
  EXPECT_EQ(read["points"][0]["axes"]["max_concurrency"].GetInt(), 1);
  const auto& figure = read["points"][0]["figures"][0];
  EXPECT_EQ(figure["low"].GetDouble(), 12);
  EXPECT_TRUE(figure["high"].IsNull());
  EXPECT_EQ(figure["observations"].GetInt(), 40);
  EXPECT_STREQ(read["runs"][1]["source"].GetString(), "b.journal");
  EXPECT_TRUE(read["runs"][1]["axes"]["max_concurrency"].IsNull());
  EXPECT_EQ(read["runs"][0]["intervals"][0]["confidence"].GetDouble(), 0.95);
  EXPECT_THAT(rows_of(page, 0).gaps.at(0), testing::ElementsAre(2));
  EXPECT_THAT(rows_of(page, 1).gaps.at(0), testing::ElementsAre(3));
}

}  // namespace
