#include "plot/boundary.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

// Group "a": concurrency 1 and 8, two repetitions each; group "b": concurrency 4 only.
constexpr const char* boundary_runs = R"([
  {"_benchmark_name": "a", "max_concurrency": 8, "run_number": 0, "output_throughput": 400,
   "completed": 90, "failed": 10, "p95_e2el_ms": 300, "median_e2el_ms": 200, "p95_ttft_ms": 30},
  {"_benchmark_name": "a", "max_concurrency": 8, "run_number": 1, "output_throughput": 500,
   "completed": 100, "failed": 0, "p95_e2el_ms": 800, "median_e2el_ms": 300, "p95_ttft_ms": 50},
  {"_benchmark_name": "a", "max_concurrency": 1, "run_number": 0, "output_throughput": 100,
   "completed": 100, "failed": 0, "p95_e2el_ms": 100, "p50_e2el_ms": 50},
  {"_benchmark_name": "a", "max_concurrency": 1, "run_number": 1, "output_throughput": 100,
   "completed": 100, "failed": 0, "p95_e2el_ms": 200, "p50_e2el_ms": 70},
  {"_benchmark_name": "b", "max_concurrency": 4, "run_number": 0, "output_throughput": 100},
  {"_benchmark_name": "b", "max_concurrency": null, "output_throughput": 100}])";

TEST(boundary, each_group_and_concurrency_is_a_row) {
  const runs_of runs(boundary_runs);
  const boundary_data data = boundary_of({}, runs.rows());
  ASSERT_EQ(data.rows.size(), 3U);
  EXPECT_EQ(data.skipped, 1U);
  EXPECT_FALSE(data.mixed);
  const boundary_row& low = data.rows[0];
  EXPECT_EQ(low.concurrency, 1);
  EXPECT_EQ(*low.multiplier, 1);
  EXPECT_EQ(*low.p50_e2el_ms, 60);
  EXPECT_EQ(low.p95_ttft_ms, std::nullopt);
  const boundary_row& high = data.rows[1];
  EXPECT_EQ(high.group, (group_key{{"_benchmark_name", "a"}}));
  EXPECT_EQ(high.concurrency, 8);
  EXPECT_EQ(high.repetitions, 2U);
  EXPECT_EQ(high.completed, 190);
  EXPECT_EQ(high.failed, 10);
  EXPECT_EQ(*high.output_throughput, 450);
  EXPECT_EQ(*high.p50_e2el_ms, 250);
  EXPECT_EQ(*high.p95_e2el_ms, 550);
  EXPECT_EQ(*high.p95_ttft_ms, 40);
  // Per repetition 300/100 and 800/200; the ratio of the means would be 3.67.
  EXPECT_EQ(*high.multiplier, 3.5);
  EXPECT_EQ(high.multiplier_repetitions, 2U);
  EXPECT_EQ(data.rows[2].multiplier, std::nullopt);
}

TEST(boundary, a_run_without_a_completed_request_is_counted_and_has_no_latency) {
  const runs_of runs(R"([
    {"max_concurrency": 1, "run_number": 0, "completed": 5, "failed": 0, "output_throughput": 10,
     "p95_e2el_ms": 100},
    {"max_concurrency": 1, "run_number": 1, "completed": 0, "failed": 5, "output_throughput": 0,
     "p95_e2el_ms": 0}])");
  const boundary_data data = boundary_of({}, runs.rows());
  ASSERT_EQ(data.rows.size(), 1U);
  EXPECT_EQ(data.uncompleted, 1U);
  EXPECT_EQ(data.rows[0].repetitions, 2U);
  EXPECT_EQ(data.rows[0].failed, 5);
  EXPECT_EQ(data.rows[0].output_throughput, 10);
  EXPECT_EQ(data.rows[0].p95_e2el_ms, 100);
  EXPECT_EQ(data.rows[0].multiplier_repetitions, 1U);
}

TEST(boundary, a_repetition_without_a_baseline_does_not_count_for_the_multiplier) {
  const runs_of runs(R"([
    {"max_concurrency": 1, "run_number": 0, "p95_e2el_ms": 100},
    {"max_concurrency": 2, "run_number": 0, "p95_e2el_ms": 150},
    {"max_concurrency": 2, "run_number": 1, "p95_e2el_ms": 900}])");
  const boundary_data data = boundary_of({}, runs.rows());
  EXPECT_EQ(*data.rows[1].multiplier, 1.5);
  EXPECT_EQ(data.rows[1].multiplier_repetitions, 1U);
}

TEST(boundary, a_row_that_mixes_combinations_is_noticed) {
  const runs_of runs(R"([
    {"max_concurrency": 1, "run_number": 0, "p95_e2el_ms": 100, "tp": 1},
    {"max_concurrency": 1, "run_number": 0, "p95_e2el_ms": 300, "tp": 2}])");
  const boundary_data mixed = boundary_of({}, runs.rows());
  EXPECT_TRUE(mixed.mixed);
  EXPECT_EQ(*mixed.rows[0].multiplier, 1);
  EXPECT_FALSE(boundary_of({.group_by = {"tp"}, .group_given = true}, runs.rows()).mixed);
}

TEST(boundary, the_csv_has_empty_fields_for_missing_figures_and_quotes_texts) {
  const runs_of runs(R"([{"n": "a,\"b\"", "max_concurrency": 2, "output_throughput": 1.5,
                          "completed": 3, "p95_e2el_ms": 10}])");
  const boundary_spec spec{.group_by = {"n"}, .group_given = true};
  const boundary_data data = boundary_of(spec, runs.rows());
  EXPECT_EQ(boundary_csv(spec, data),
            "n,max_concurrency,repetitions,completed,failed,mean_output_throughput,p50_ttft_ms,"
            "p95_ttft_ms,p50_e2el_ms,p95_e2el_ms,p95_e2el_ms_multiplier_vs_baseline,"
            "multiplier_repetitions\n"
            "\"a,\"\"b\"\"\",2,1,3,0,1.5,,,,10.0,1.0,1\n");
}

TEST(boundary, the_table_shows_no_control_character_of_a_value) {
  const runs_of runs(R"([{"n": "a\u001b[1m\nb", "max_concurrency": 2}])");
  const boundary_spec spec{.group_by = {"n"}, .group_given = true};
  const std::string text = boundary_text(spec, boundary_of(spec, runs.rows()));
  EXPECT_THAT(text, testing::HasSubstr("a [1m b"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\x1b")));
}

TEST(boundary, empty_selections_and_unknown_keys_are_errors) {
  const runs_of none(R"([{"output_throughput": 1}])");
  EXPECT_THROW(static_cast<void>(boundary_of({}, none.rows())), base::error);
  EXPECT_THROW(static_cast<void>(boundary_of({}, {})), base::error);
  const runs_of runs(R"([{"max_concurrency": 1}])");
  EXPECT_EQ(boundary_of({}, runs.rows()).rows.size(), 1U);
  EXPECT_THROW(
      static_cast<void>(boundary_of({.group_by = {"tp"}, .group_given = true}, runs.rows())),
      base::error);
  const runs_of text(R"([{"max_concurrency": "many"}])");
  EXPECT_THROW(static_cast<void>(boundary_of({}, text.rows())), base::error);
}

}  // namespace
}  // namespace inferbench::plot
