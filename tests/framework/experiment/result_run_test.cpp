#include "experiment/result_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/run_description_json.hpp>

#include "base/text.hpp"
#include "framework/experiment/finished_runs.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::experiment {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string number_text(double value) { return std::isnan(value) ? "-" : base::shortest(value); }

/// Every figure of the run in a line.
std::string figures_text_of(const result_run& run) {
  std::string out;
  for (const ifb_metric& each : run.figures.metrics()) {
    out += std::string(each.name) + ":";
    if ((each.flags & IFB_METRIC_SUMMARY) == 0) {
      out += " " + number_text(each.value) + "\n";
      continue;
    }
    out += " count " + std::to_string(each.count) + " mean " + number_text(each.value) +
           " median " + number_text(each.median) + " std " + number_text(each.deviation) + " min " +
           number_text(each.minimum) + " max " + number_text(each.maximum);
    for (std::size_t i = 0; i < each.quantile_count; ++i)
      out += " q" + number_text(std::round(each.quantiles[i].q * 1e6) / 1e6) + " " +
             number_text(each.quantiles[i].value);
    out += (each.flags & IFB_METRIC_SELECTED) != 0 ? " selected\n" : "\n";
  }
  return out;
}

result_run read_run(const std::string& result, const std::string& bench = "{}") {
  return result_run_of(finished("{}", bench, 2, result));
}

constexpr const char* upstream_result = R"({
  "date": "20250102-030405", "endpoint_type": "vllm", "backend": "vllm", "label": null,
  "model_id": "m", "tokenizer_id": "t", "num_prompts": 10, "request_rate": "inf",
  "burstiness": 1.0, "max_concurrency": 4, "duration": 2.5, "completed": 9, "failed": 1,
  "total_input_tokens": 90, "total_output_tokens": 900, "request_throughput": 3.6,
  "output_throughput": 360.0, "total_token_throughput": 396.0,
  "mean_ttft_ms": 12.5, "median_ttft_ms": 12, "std_ttft_ms": 1.5, "p99_ttft_ms": 20.0,
  "p99.9_ttft_ms": 21.0, "mean_tpot_ms": 5.0, "input_lens": [1, 2], "custom": "x"})";

TEST(result_run, of_another_program_has_the_figures_of_its_result) {
  const result_run run = read_run(upstream_result, R"({"max_concurrency": 4})");
  const std::string figures = figures_text_of(run);
  EXPECT_THAT(figures, HasSubstr("duration: 2.5\ncompleted: 9.0\nfailed: 1.0\n"));
  EXPECT_THAT(figures,
              HasSubstr("ttft: count 9 mean 12.5 median 12.0 std 1.5 min - max - q0.99 20.0 q0.999 "
                        "21.0 selected\ntpot: count 9 mean 5.0 median - std - min - max - "
                        "selected\n"));
  EXPECT_EQ(run.environment_json, "{}");
  EXPECT_EQ(run.name, "BENCH--x-run=2");
  EXPECT_FALSE(run.interrupted);
  EXPECT_EQ(run.figures.facts_json(), "{}");
}

TEST(result_run, of_another_program_is_described) {
  const result_run run = read_run(upstream_result, R"({"max_concurrency": 4, "x": Infinity})");
  EXPECT_THAT(run.config_json,
              HasSubstr(R"("bench_parameters": {"max_concurrency": 4, "x": "inf"})"));
  EXPECT_THAT(run.config_json, Not(HasSubstr("serve_parameters")));
  const ifb::json_document config = pytext::read_json_document(run.config_json, "config");
  const ifb::json_value* resolved = ifb::find(config, "resolved");
  ASSERT_NE(resolved, nullptr);
  EXPECT_EQ(ifb::text_of(ifb::find(*resolved, "model_id")), "m");
  EXPECT_EQ(ifb::integer_of(ifb::find(*resolved, "max_concurrency")), 4);
}

TEST(result_run, has_the_times_of_its_result) {
  const result_run run = read_run(upstream_result);
  std::tm local{};
  local.tm_year = 125;
  local.tm_mday = 2;
  local.tm_hour = 3;
  local.tm_min = 4;
  local.tm_sec = 5;
  local.tm_isdst = -1;
  const std::int64_t ended = std::int64_t{std::mktime(&local)} * 1'000'000'000;
  EXPECT_EQ(run.finished_unix_ns, ended);
  EXPECT_EQ(run.started_unix_ns, ended - 2'500'000'000);
  EXPECT_EQ(began_unix_ns(finished("{}", "{}", 0, upstream_result)), run.started_unix_ns);
  for (const char* date : {"20250102-03040", "20250102 030405", "2025010a-030405",
                           "-0250102-030405", "19000102-030405", ""}) {
    const result_run unknown = read_run(std::string(R"({"date": ")") + date + R"("})");
    EXPECT_EQ(unknown.started_unix_ns, 0) << date;
  }
}

constexpr const char* our_result = R"({
  "date": "20250102-030405", "backend": "openai-chat", "model_id": "m", "duration": 2.0,
  "completed": 4, "mean_ttft_ms": 10.0, "median_ttft_ms": 9.0, "std_ttft_ms": 1.0,
  "p99_ttft_ms": 15.0, "steady_state": {"window": null},
  "inferbench": {"run": "a-run", "started_ns": 77, "started_unix_ns": 1700000000000000000,
    "interrupted": true, "config": {"run": {"seed": 3}}, "environment": {"cpu": "x"},
    "facts": {"accounting": {"ok": 4}}, "thresholds": [{"goal": "g"}],
    "certainty": {"figures": {"ttft": {"count": 3}}},
    "metrics": {"send_lag": {"count": 4, "mean": 1.5, "median": 1, "std": 0.5, "min": 1, "max": 2,
                             "p50": 1, "p99.9": 2}, "completed": 5, "peak_concurrency": 7}}})";

TEST(result_run, of_this_program_has_further_figures_and_facts) {
  const result_run run = read_run(our_result, R"({"run.seed": 3})");
  const std::string figures = figures_text_of(run);
  // The part in upstream's format counts before the rest.
  EXPECT_THAT(figures, AllOf(HasSubstr("completed: 4.0\n"), HasSubstr("peak_concurrency: 7.0\n")));
  EXPECT_THAT(figures,
              HasSubstr("ttft: count 3 mean 10.0 median 9.0 std 1.0 min - max - q0.99 15.0 "
                        "selected\n"));
  EXPECT_THAT(figures,
              HasSubstr("send_lag: count 4 mean 1.5 median 1.0 std 0.5 min 1.0 max 2.0 q0.5 1.0 "
                        "q0.999 2.0\n"));
  EXPECT_EQ(run.name, "a-run");
  EXPECT_EQ(run.started_ns, 77U);
  EXPECT_EQ(run.started_unix_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ(run.finished_unix_ns, 1'700'000'002'000'000'000);
  EXPECT_TRUE(run.interrupted);
  EXPECT_EQ(run.environment_json, R"({"cpu": "x"})");
  EXPECT_THAT(run.config_json, HasSubstr(R"({"run": {"seed": 3}, "bench_parameters": )"));
  EXPECT_EQ(run.figures.facts_json(),
            R"({"steady_state": {"window": null}, "accounting": {"ok": 4}, )"
            R"("certainty": {"figures": {"ttft": {"count": 3}}}, "thresholds": [{"goal": "g"}]})");
}

TEST(result_run, gives_reporters_a_run_that_is_not_going_on) {
  const result_run made = read_run(our_result);
  const ifb_run run = made.run();
  EXPECT_EQ(run.struct_size, sizeof run);
  EXPECT_EQ(run.flags, std::uint32_t{IFB_RUN_REPLAYED});
  EXPECT_EQ(std::string(run.name.data, run.name.size), "a-run");
  const ifb_summary summary = made.summary();
  EXPECT_EQ(summary.flags & IFB_SUMMARY_INTERRUPTED, std::uint32_t{IFB_SUMMARY_INTERRUPTED});
  EXPECT_EQ(summary.finished_unix_ns, made.finished_unix_ns);
}

constexpr const char* startup_result = R"({
  "avg_cold_startup_time": 3.0, "cold_startup_times": [2.0, 4.0],
  "cold_startup_percentiles": {"50": 3.0, "99": 3.98}, "backend": "hf",
  "inferbench": {"form": "engine", "engine": "hf 4.57",
    "phases": [{"state": "cold", "name": "loading", "times_s": [1, 2], "mean_s": 1.5}],
    "last_cold_start": {"phases": [{"start_ns": 1700000000000000000,
                                    "end_ns": 1700000003000000000}]}}})";

TEST(result_run, of_a_startup_benchmark_has_its_times) {
  const result_run run = read_run(startup_result);
  EXPECT_EQ(figures_text_of(run),
            "cold_startup_time: count 2 mean 3.0 median 3.0 std 1.0 min 2.0 max 4.0 q0.5 3.0 "
            "q0.99 3.98 selected\n"
            "cold_phase_loading: count 2 mean 1.5 median 1.5 std 0.5 min 1.0 max 2.0\n");
  EXPECT_EQ(run.environment_json, R"({"engine": "hf 4.57"})");
  EXPECT_THAT(std::string(run.figures.facts_json()),
              StartsWith(R"({"startup": {"form": "engine", "engine": "hf 4.57", "phases": )"));
  const ifb::json_document config = pytext::read_json_document(run.config_json, "config");
  EXPECT_EQ(ifb::text_of(ifb::find_path(config, "resolved.backend")), "hf");
  EXPECT_EQ(run.started_unix_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ(run.finished_unix_ns, 1'700'000'003'000'000'000);
}

TEST(result_run, of_a_startup_benchmark_keeps_its_texts_when_it_is_moved) {
  result_run made = read_run(startup_result);
  const result_run run = std::move(made);
  for (const ifb_metric& each : run.figures.metrics())
    EXPECT_TRUE(std::ranges::any_of(run.starts, [&](const startup_figure& one) {
      return one.name.c_str() == each.name;
    })) << each.name;
}

TEST(result_run, of_a_startup_benchmark_without_moments_ends_when_its_file_was_written) {
  const support::temporary_folder box;
  finished_run from = finished("{}", "{}", 0, R"({"cold_startup_times": [2.0]})");
  EXPECT_EQ(result_run_of(from).started_unix_ns, 0);
  from.file = box.write("run=0.json", "{}");
  std::filesystem::last_write_time(
      from.file, std::chrono::file_clock::from_sys(
                     std::chrono::sys_seconds(std::chrono::seconds(1'600'000'000))));
  const result_run run = result_run_of(from);
  EXPECT_EQ(run.started_unix_ns, 1'600'000'000'000'000'000);
  EXPECT_EQ(run.finished_unix_ns, 1'600'000'000'000'000'000);
  EXPECT_EQ(began_unix_ns(from), run.started_unix_ns);
  EXPECT_EQ(run.figures.facts_json(), "{}");
  EXPECT_EQ(run.environment_json, "{}");
  // A result with requests states its times itself.
  EXPECT_EQ(result_run_of(finished_run{{}, {}, 0, from.file, finished("{}", "{}", 0, "{}").result})
                .started_unix_ns,
            0);
}

TEST(result_run, of_an_empty_result_has_nothing) {
  const result_run run = read_run("{}");
  EXPECT_EQ(figures_text_of(run), "");
  EXPECT_EQ(run.started_unix_ns, 0);
  EXPECT_EQ(run.finished_unix_ns, 0);
  EXPECT_EQ(run.environment_json, "{}");
}

TEST(result_run, leaves_out_members_of_other_types) {
  const result_run run = read_run(R"({
    "date": 5, "duration": "long", "completed": [], "num_prompts": "x", "max_concurrency": 1.5,
    "mean_ttft_ms": null, "mean_tpot_ms": {}, "mean_itl_ms": 1, "px_itl_ms": 2, "p101_itl_ms": 2,
    "p_itl_ms": 2, "p50_itl_ms": "x", "request_rate": -1, "label": {}, "model_id": 5,
    "output_throughput": NaN, "request_throughput": Infinity,
    "inferbench": {"run": "a/b", "started_ns": -1, "started_unix_ns": 9223372036854775807,
      "interrupted": 1, "config": [], "environment": 5, "facts": [], "certainty": 3,
      "metrics": {"send_lag": {"count": -1, "mean": 1}, "e2el": 5}}})");
  EXPECT_EQ(figures_text_of(run),
            "request_throughput: inf\nitl: count 1 mean 1.0 median - std - min - max - selected\n");
  EXPECT_EQ(run.name, "BENCH--x-run=2");
  EXPECT_EQ(run.started_unix_ns, 0);
  EXPECT_FALSE(run.interrupted);
  EXPECT_EQ(run.environment_json, "{}");
  const result_run wrong = read_run(R"({"inferbench": 5, "steady_state": [1]})");
  EXPECT_EQ(wrong.figures.facts_json(), R"({"steady_state": [1]})");
}

TEST(result_run, of_a_summary_without_values_has_the_count_zero) {
  EXPECT_EQ(figures_text_of(read_run(R"({"mean_ttft_ms": 0.0, "median_ttft_ms": 0.0})")),
            "ttft: count 0 mean 0.0 median 0.0 std - min - max - selected\n");
}

}  // namespace
}  // namespace inferbench::experiment
