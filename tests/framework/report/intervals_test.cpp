#include "report/intervals.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/instance.hpp"

namespace inferbench::report {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A summary with the figure `ttft`, whose quantiles are P99 and P99.9, and the scalar `completed`.
struct summary_of_ttft {
  explicit summary_of_ttft(std::string about) : facts(std::move(about)) {
    metrics[0].struct_size = metrics[1].struct_size = sizeof(ifb_metric);
    metrics[0].flags = IFB_METRIC_SUMMARY;
    metrics[0].name = "ttft";
    metrics[0].unit = "ms";
    metrics[0].value = 12;
    metrics[0].median = 11;
    metrics[0].count = 40;
    metrics[0].quantiles = quantiles.data();
    metrics[0].quantile_count = quantiles.size();
    metrics[1].name = "completed";
    metrics[1].unit = "1";
    metrics[1].value = 40;
    summary.struct_size = sizeof summary;
    summary.metrics = metrics.data();
    summary.metric_count = static_cast<std::uint32_t>(metrics.size());
    summary.metric_stride = sizeof(ifb_metric);
    summary.facts_json = plugin::str(facts);
  }
  summary_of_ttft(const summary_of_ttft&) = delete;
  summary_of_ttft& operator=(const summary_of_ttft&) = delete;

  std::string facts;
  std::vector<ifb_quantile> quantiles{{0.99, 20}, {0.999, 30}};
  std::vector<ifb_metric> metrics{2};
  ifb_summary summary{};
};

std::vector<std::string> texts(const interval_list& of) {
  std::vector<std::string> out;
  for (const ifb_interval& one : of.views()) {
    EXPECT_EQ(one.struct_size, sizeof one);
    out.push_back(std::string(one.name) + " " + one.statistic + " " + one.unit + " " +
                  std::to_string(std::lround(one.value)) +
                  (std::isinf(one.high) ? " unlimited" : " <= " + std::to_string(one.high)) +
                  " n=" + std::to_string(one.observations));
  }
  return out;
}

TEST(intervals, of_a_run_come_from_the_fact_certainty) {
  const summary_of_ttft run(R"({"certainty": {"confidence": 0.99, "figures": {"ttft": {
      "count": 40, "effective_count": 17.9, "percentiles": [
        {"percentile": 99, "bound": 25.5}, {"percentile": 99.9, "bound": null},
        {"percentile": 75, "bound": 3}]}, "unknown": {"effective_count": 1, "percentiles": []}}}})");
  const interval_list found = bounds_of(run.summary);
  EXPECT_THAT(texts(found), testing::ElementsAre("ttft p99 ms 20 <= 25.500000 n=17",
                                                 "ttft p99.9 ms 30 unlimited n=17"));
  EXPECT_EQ(found.views()[0].low, -infinite);
  EXPECT_EQ(found.views()[0].confidence, 0.99);
}

TEST(intervals, of_facts_in_another_form_are_left_out) {
  for (const char* facts :
       {"", "{}", "[]", "{", R"({"certainty": 1})", R"({"certainty": {"figures": {}}})",
        R"({"certainty": {"confidence": "x", "figures": {"ttft": {}}}})",
        R"({"certainty": {"confidence": 0.99, "figures": {"ttft": 7}}})",
        R"({"certainty": {"confidence": 0.99, "figures": {"ttft": {"percentiles": [7]}}}})",
        R"({"certainty": {"confidence": 0.99, "figures": {"ttft":
            {"effective_count": 2, "percentiles": [7, {"percentile": "99"}, {}]}}}})"}) {
    const summary_of_ttft run(facts);
    EXPECT_THAT(bounds_of(run.summary).views(), testing::IsEmpty()) << facts;
  }
}

TEST(intervals, a_number_of_observations_that_is_no_count_is_zero_or_cut) {
  for (const auto& [count, expected] :
       {std::pair{"-3", 0ULL}, {"0.9", 0ULL}, {"1e300", 1'000'000'000'000'000ULL}}) {
    const summary_of_ttft run(
        std::string(R"({"certainty": {"confidence": 0.99, "figures": {"ttft": {
      "effective_count": )") +
        count + R"(, "percentiles": [{"percentile": 99}]}}}})");
    const interval_list found = bounds_of(run.summary);
    ASSERT_EQ(found.views().size(), 1U);
    EXPECT_EQ(found.views()[0].observations, expected) << count;
  }
}

TEST(intervals, one_run_is_one_observation_without_limits) {
  const summary_of_ttft run("{}");
  const interval_list found = figures_of_one_run(run.metrics);
  EXPECT_THAT(texts(found), testing::ElementsAre(
                                "ttft mean ms 12 unlimited n=1", "ttft median ms 11 unlimited n=1",
                                "ttft p99 ms 20 unlimited n=1", "ttft p99.9 ms 30 unlimited n=1",
                                "completed value 1 40 unlimited n=1"));
  for (const ifb_interval& one : found.views()) {
    EXPECT_EQ(one.low, -infinite);
    EXPECT_EQ(one.confidence, 0);
  }
}

TEST(intervals, a_figure_without_values_has_none) {
  summary_of_ttft run("{}");
  run.metrics[0].count = 0;
  EXPECT_EQ(figures_of_one_run(run.metrics).views().size(), 1U);
}

}  // namespace
}  // namespace inferbench::report
