#include "experiment/startup_figures.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "framework/experiment/finished_runs.hpp"
#include "support/golden.hpp"

namespace inferbench::experiment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<startup_figure> figures_of(const std::string& result) {
  return startup_figures_in(pytext::read_json_document(result, "start.json"));
}

std::string startup_fixture(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/experiment/" + name;
}

TEST(startup_figures, are_the_times_and_the_phases_of_a_result_in_full) {
  metrics::report all;
  const std::vector<startup_figure> figures =
      figures_of(base::read_file(startup_fixture("startup_result.json")));
  for (const startup_figure& each : figures)
    add_startup_figure(all, each);
  std::string text;
  for (const ifb_metric& each : all.metrics()) {
    text += std::string(each.name) + " in " + each.unit + ", flags " + std::to_string(each.flags) +
            ": " + each.title + "; " + each.label + "; " + each.help + "\n  count " +
            std::to_string(each.count) + ", mean " + base::shortest(each.value) + ", std " +
            base::shortest(each.deviation) + ", min " + base::shortest(each.minimum) + ", median " +
            base::shortest(each.median) + ", max " + base::shortest(each.maximum);
    for (std::size_t i = 0; i < each.quantile_count; ++i)
      text += ", q" + base::shortest(each.quantiles[i].q) + " " +
              base::shortest(each.quantiles[i].value);
    text += "\n";
  }
  support::expect_golden(text, startup_fixture("startup_figures.txt"));
}

TEST(startup_figures, without_times_are_the_stated_mean_and_percentiles) {
  const auto found = figures_of(
      R"({"avg_cold_startup_time": 3.5, "cold_startup_times": [],
          "cold_startup_percentiles": {"50": 3, "90": 5.5, "x": 1, "99": null},
          "avg_warm_startup_time": 2, "avg_warm_compilation_time": "none"})");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].name, "cold_startup_time");
  EXPECT_EQ(found[0].values.count, 1U);
  EXPECT_EQ(found[0].values.mean, 3.5);
  EXPECT_EQ(found[0].values.median, 3);
  EXPECT_THAT(found[0].percentiles, ElementsAre(50, 90));
  EXPECT_THAT(found[0].values.quantiles, ElementsAre(3, 5.5));
  EXPECT_TRUE(std::isnan(found[0].values.maximum));
  EXPECT_EQ(found[1].values.mean, 2);
  EXPECT_TRUE(std::isnan(found[1].values.median));
}

TEST(startup_figures, leave_out_what_is_no_finite_number) {
  const auto found = figures_of(
      R"({"cold_startup_times": [1, NaN, "2", null, Infinity, 5, "inf"],
          "warm_startup_times": {"0": 1}, "warm_compilation_times": ["x"]})");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].values.count, 2U);
  EXPECT_EQ(found[0].values.mean, 3);
  EXPECT_THAT(found[0].percentiles, IsEmpty());
}

TEST(startup_figures, have_each_phase_of_a_known_state_once) {
  const auto found = figures_of(
      R"({"avg_cold_startup_time": 1, "inferbench": {"phases": [
          {"state": "cold", "name": "a\nb", "times_s": [1]},
          {"state": "cold", "name": "a b", "times_s": [2]},
          {"state": "warm", "name": "a b", "times_s": [3]},
          {"state": "hot", "name": "c", "times_s": [4]},
          {"state": "cold", "name": "", "times_s": [5]},
          {"state": "cold", "name": "d", "count": 0, "times_s": []},
          {"state": 1}, 7, null, {}]}})");
  std::vector<std::string> names;
  for (const startup_figure& each : found)
    names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("cold_startup_time", "cold_phase_a b", "warm_phase_a b"));
  EXPECT_EQ(found[1].values.mean, 1);
}

TEST(startup_figures, are_not_in_the_result_of_another_benchmark) {
  for (const char* result :
       {"{}", R"({"avg_latency": 1.5, "latencies": [1, 2], "inferbench": {"phases": [
                   {"state": "cold", "name": "a", "times_s": [1]}]}})",
        R"({"duration": 2, "mean_ttft_ms": 3})", R"({"avg_cold_startup_time": {"a": 1}})"})
    EXPECT_THAT(figures_of(result), IsEmpty()) << result;
}

TEST(startup_figures, have_the_moments_of_the_last_cold_start) {
  const auto moments = [](const std::string& phases) {
    return last_cold_start_in(pytext::read_json_document(
        R"({"inferbench": {"last_cold_start": {"phases": )" + phases + "}}}", "start.json"));
  };
  const startup_moments found = moments(R"([{"start_ns": 100, "end_ns": 250},
                                            {"start_ns": null, "end_ns": null},
                                            {"start_ns": 250, "end_ns": 300}])");
  EXPECT_EQ(found.began_unix_ns, 100);
  EXPECT_EQ(found.ended_unix_ns, 300);
  for (const char* phases : {"[]", "7", R"([{"start_ns": -5, "end_ns": 3}])",
                             R"([{"start_ns": 9, "end_ns": 3}])", R"([{"start_ns": 1.5}, null])"})
    EXPECT_EQ(moments(phases).began_unix_ns, 0) << phases;
}

}  // namespace
}  // namespace inferbench::experiment
