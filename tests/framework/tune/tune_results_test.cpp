#include "tune/tune_results.hpp"

#include <string>

#include <gtest/gtest.h>

#include "pytext/python_json.hpp"

namespace inferbench::tune {
namespace {

benchmark_end ended(const std::string& json) {
  return benchmark_end_of(pytext::read_json_document(json, "r.json"));
}

search_verdict verdict(const std::string& json) {
  return search_verdict_of(pytext::read_json_document(json, "f.json"));
}

TEST(the_figures_of_a_benchmark, are_those_of_its_result) {
  const benchmark_end end =
      ended(R"({"completed": 9, "failed": 1, "request_throughput": 9.8123, "p99_e2el_ms": 450,
                "request_goodput": 9.5})");
  ASSERT_TRUE(end.figures);
  EXPECT_EQ(end.figures->throughput, 9.8123);
  EXPECT_EQ(end.figures->e2el_ms, 450);
  EXPECT_EQ(end.figures->goodput, 9.5);
  EXPECT_EQ(end.figures->failed, 1);
  EXPECT_FALSE(end.figures->nothing_completed);
}

TEST(the_figures_of_a_benchmark, are_missing_if_a_number_is_missing_or_not_finite) {
  EXPECT_EQ(ended("{}").problem, "the result of the benchmark has no number request_throughput");
  EXPECT_EQ(ended(R"({"request_throughput": 1, "p99_e2el_ms": NaN})").problem,
            "the result of the benchmark has no number p99_e2el_ms");
  EXPECT_EQ(ended(R"({"request_throughput": 1, "p99_e2el_ms": 2, "request_goodput": "3"})").problem,
            "the result of the benchmark has no number request_goodput");
  EXPECT_FALSE(ended("{}").figures);
}

TEST(the_figures_of_a_benchmark, say_that_no_request_was_completed) {
  const benchmark_end end = ended(R"({"completed": 0, "failed": 7})");
  ASSERT_TRUE(end.figures);
  EXPECT_TRUE(end.figures->nothing_completed);
  EXPECT_EQ(end.figures->failed, 7);
}

TEST(the_verdict_of_a_search, is_its_limit_with_the_run_that_passed_there) {
  const search_verdict found = verdict(
      R"({"limit": 12.5, "ended": "probes_used", "probes": [
          {"load": 20, "verdict": "failed", "journal": "a"},
          {"load": 5, "verdict": "passed", "journal": "b"},
          {"load": 12.5, "verdict": "passed", "journal": "c"},
          {"load": 12.0, "verdict": "undecided", "journal": "d"}]})");
  ASSERT_TRUE(found.limit);
  EXPECT_EQ(found.limit->rate, 12.5);
  EXPECT_EQ(found.limit->journal, "c");
  EXPECT_EQ(found.problem, "");
}

TEST(the_verdict_of_a_search, is_no_rate_if_the_lowest_failed) {
  const search_verdict none = verdict(R"({"limit": null, "ended": "nothing_passed"})");
  EXPECT_FALSE(none.limit);
  EXPECT_EQ(none.problem, "");
}

TEST(the_verdict_of_a_search, is_missing_if_the_search_could_not_tell) {
  for (const char* json :
       {R"({"limit": null, "ended": "undecided"})", R"({"limit": null, "ended": "failed"})",
        R"({"limit": 3, "ended": "interrupted"})", "{}",
        R"({"limit": 3, "ended": "exact", "probes": []})",
        R"({"limit": 3, "ended": "exact", "probes": [{"load": 3, "verdict": "failed"}]})"}) {
    const search_verdict none = verdict(json);
    EXPECT_FALSE(none.limit) << json;
    EXPECT_NE(none.problem, "") << json;
  }
}

}  // namespace
}  // namespace inferbench::tune
