#include "offline/latency_report.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

const latency_result scripted{{0.5, 0.51, 0.49, 0.52, 0.48, 0.53}, "m"};

std::string latency_file(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/offline/" + name;
}

TEST(latency_report, the_lines_have_as_many_digits_as_python_prints) {
  EXPECT_EQ(latency_text({{0.5123, 0.5123}, "m"}),
            "Avg latency: 0.5123 seconds\n"
            "Std latency: 0.0 seconds\n"
            "10% percentile latency: 0.5123 seconds\n"
            "25% percentile latency: 0.5123 seconds\n"
            "50% percentile latency: 0.5123 seconds\n"
            "75% percentile latency: 0.5123 seconds\n"
            "90% percentile latency: 0.5123 seconds\n"
            "99% percentile latency: 0.5123 seconds\n");
  support::expect_golden(latency_text(scripted), latency_file("latency.txt"));
}

TEST(latency_report, the_file_has_the_members_of_upstream) {
  support::expect_golden(result_text(latency_json(scripted)), latency_file("latency.json"));
}

TEST(latency_report, the_record_has_all_samples) {
  const auto metrics = latency_metrics(scripted);
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_EQ(metrics.front().name, "latency");
  EXPECT_EQ(metrics.front().values, scripted.latencies_s);
  EXPECT_EQ(metrics.front().extra_info.names,
            (std::vector<std::string>{"avg_latency", "std_latency", "percentiles"}));
}

}  // namespace
}  // namespace inferbench::offline
