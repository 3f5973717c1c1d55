#include "compare/declared_figure.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/report.hpp"
#include "options/refusal.hpp"

namespace inferbench::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string figure_refusal(const std::string& text) {
  try {
    (void)figure_of(text);
  } catch (const options::usage_error& why) {
    return why.what();
  }
  return {};
}

TEST(a_declared_figure, is_spelled_as_a_goal_or_as_in_result_files) {
  for (const char* text : {"ttft.p99", "p99_ttft_ms", " ttft.p99 "}) {
    const declared_figure found = figure_of(text);
    EXPECT_EQ(found.name, "ttft.p99") << text;
    EXPECT_EQ(found.title, "P99 TTFT");
    EXPECT_EQ(found.unit, "ms");
    EXPECT_FALSE(found.higher_is_better);
  }
  EXPECT_EQ(figure_of("median_tpot_ms").name, "tpot.p50");
  EXPECT_EQ(figure_of("median_tpot_ms").title, "Median TPOT");
  EXPECT_EQ(figure_of("mean_itl_ms").title, "Mean ITL");
}

TEST(a_declared_figure, knows_which_direction_is_better) {
  EXPECT_TRUE(figure_of("output_throughput").higher_is_better);
  EXPECT_EQ(figure_of("output_throughput").title, "Output Token Throughput");
  EXPECT_TRUE(figure_of("request_goodput").higher_is_better);
  EXPECT_TRUE(figure_of("rtfx").higher_is_better);
  EXPECT_FALSE(figure_of("duration").higher_is_better);
  EXPECT_FALSE(figure_of("failed").higher_is_better);
  EXPECT_EQ(
      figure_refusal("total_input_tokens"),
      "--metric: \"total_input_tokens\" is better neither if it is higher nor if it is lower; "
      "compare a throughput or a latency, such as output_throughput or ttft.p99");
}

TEST(a_declared_figure, may_belong_to_a_benchmark_without_a_server) {
  EXPECT_TRUE(figure_of("requests_per_second").higher_is_better);
  EXPECT_FALSE(figure_of("avg_latency").higher_is_better);
  EXPECT_EQ(figure_of("P99").name, "latency.p99");
  EXPECT_EQ(figure_of("latency.p99.9").name, "latency.p99.9");
}

TEST(a_declared_figure, is_refused_with_the_nearest_name) {
  EXPECT_THAT(figure_refusal("p99_tttf_ms"), HasSubstr("did you mean p99_ttft_ms?"));
  EXPECT_THAT(figure_refusal("ttft"), HasSubstr("write ttft.p99, ttft.mean"));
  EXPECT_EQ(figure_refusal("foo"),
            "--metric: \"foo\" is not a figure that can be compared; docs/run-description.md lists "
            "the figures; write for example ttft.p99");
  EXPECT_THAT(figure_refusal("ttft.p99<200ms"), HasSubstr("is a goal"));
  EXPECT_THAT(figure_refusal(""), HasSubstr("is not a figure"));
  EXPECT_THAT(figure_refusal("latency.p101"), HasSubstr("is not a figure"));
  EXPECT_THAT(figure_refusal("latency.pnan"), HasSubstr("is not a figure"));
}

TEST(the_usual_figures, are_at_most_four) {
  for (const benchmark each :
       {benchmark::server, benchmark::pooling, benchmark::throughput, benchmark::latency}) {
    const std::vector<declared_figure> found = usual_figures(each);
    EXPECT_GE(found.size(), 2U) << name_of(each);
    EXPECT_LE(found.size(), 4U) << name_of(each);
  }
}

TEST(the_figures_of_a_run, have_a_name_for_each_statistic) {
  metrics::report report;
  report.add(metrics::metric::request_throughput, 4.5);
  metrics::statistics values;
  values.count = 2;
  values.mean = 3;
  values.median = 2.5;
  values.deviation = 1;
  values.minimum = 1;
  values.maximum = 5;
  values.quantiles = {4.9};
  const std::vector<double> percentiles{99.9};
  report.add(metrics::metric::ttft, values, percentiles, true);
  EXPECT_THAT(values_of(report.metrics()),
              ElementsAre(Pair("request_throughput", 4.5), Pair("ttft.max", 5),
                          Pair("ttft.mean", 3), Pair("ttft.min", 1), Pair("ttft.p50", 2.5),
                          Pair("ttft.p99.9", 4.9), Pair("ttft.std", 1)));
  EXPECT_EQ(comparable_names({{"total_input_tokens", 1}, {"ttft.p50", 1}, {"zzz", 1}}), "ttft.p50");
}

TEST(the_figures_of_a_run, lack_a_summary_without_values) {
  metrics::report report;
  const std::vector<double> percentiles{99};
  metrics::statistics none;
  none.quantiles = {0};
  report.add(metrics::metric::ttft, none, percentiles, true);
  EXPECT_TRUE(values_of(report.metrics()).empty());
}

TEST(a_declared_figure, has_a_percentile_if_it_is_one_of_a_run_with_a_server) {
  EXPECT_EQ(percentile_of(figure_of("ttft.p99.9")), 99.9);
  EXPECT_EQ(percentile_of(figure_of("median_tpot_ms")), 50);
  for (const char* other : {"ttft.mean", "output_throughput", "latency.p99", "avg_latency"})
    EXPECT_EQ(percentile_of(figure_of(other)), std::nullopt) << other;
}

}  // namespace
}  // namespace inferbench::compare
