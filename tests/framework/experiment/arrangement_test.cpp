#include "experiment/arrangement.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/experiment/finished_runs.hpp"

namespace inferbench::experiment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// "name (unit, title)" of each axis; a unit of numbers only.
std::vector<std::string> axes_of(const arrangement& found) {
  std::vector<std::string> out;
  for (const swept_parameter& each : found.axes)
    out.push_back(each.name + " (" + (each.numeric ? each.unit + ", " : "") + each.title + ")");
  return out;
}

/// The points of runs with these parameters of the benchmark.
arrangement of_benches(const std::vector<std::string>& benches) {
  std::vector<finished_run> runs;
  for (const std::string& bench : benches)
    runs.push_back(finished("{}", bench, 0));
  return arranged(runs);
}

TEST(arrangement, makes_a_point_of_the_runs_with_the_same_parameters) {
  const std::vector<finished_run> runs{finished("{}", R"({"max_concurrency": 4})", 0),
                                       finished("{}", R"({"max_concurrency": 8})", 0),
                                       finished("{}", R"({"max_concurrency": 4})", 1)};
  const arrangement found = arranged(runs);
  ASSERT_EQ(found.points.size(), 2U);
  EXPECT_THAT(found.points[0].runs, ElementsAre(0, 2));
  EXPECT_THAT(found.points[1].runs, ElementsAre(1));
  EXPECT_THAT(found.point_of, ElementsAre(0, 1, 0));
  EXPECT_THAT(axes_of(found),
              ElementsAre("max_concurrency (request, Maximum request concurrency)"));
  EXPECT_THAT(found.points[1].axes, ElementsAre(Pair("max_concurrency", "8")));
  EXPECT_THAT(found.labels, ElementsAre("max_concurrency=4, run=0", "max_concurrency=8",
                                        "max_concurrency=4, run=1"));
}

TEST(arrangement, has_an_axis_for_each_parameter_that_differs) {
  const std::vector<finished_run> runs{
      finished(R"({"max_num_seqs": 8, "dtype": "a"})", R"({"x": 1, "same": 2})", 0),
      finished(R"({"max_num_seqs": 16, "dtype": "b"})", R"({"x": 1.5, "same": 2})", 0)};
  const arrangement found = arranged(runs);
  EXPECT_THAT(axes_of(found), ElementsAre("max_num_seqs (request, Maximum number of sequences)",
                                          "dtype (dtype)", "x (1, x)"));
  EXPECT_THAT(found.points[1].axes,
              ElementsAre(Pair("max_num_seqs", "16"), Pair("dtype", "\"b\""), Pair("x", "1.5")));
  EXPECT_THAT(found.labels,
              ElementsAre("max_num_seqs=8, dtype=a, x=1", "max_num_seqs=16, dtype=b, x=1.5"));
}

TEST(arrangement, of_one_point_has_no_axis) {
  const arrangement found = of_benches({R"({"x": 1})", R"({"x": 1})"});
  EXPECT_THAT(found.axes, IsEmpty());
  ASSERT_EQ(found.points.size(), 1U);
  // The runs have the same number, as after an exploration.
  EXPECT_THAT(found.labels, ElementsAre("run=0", "run=0 (2)"));
  EXPECT_THAT(arranged({}).points, IsEmpty());
}

TEST(arrangement, gives_the_load_the_name_that_results_use) {
  EXPECT_THAT(axes_of(of_benches({R"({"load.max-concurrency": 1, "load.request-rate": 1})",
                                  R"({"load.max-concurrency": 2, "load.request-rate": 2})"})),
              ElementsAre("max_concurrency (request, Maximum request concurrency)",
                          "request_rate (request/s, Request rate)"));
  EXPECT_THAT(axes_of(of_benches({R"({"a.max-concurrency": 1, "b.max-concurrency": 1})",
                                  R"({"a.max-concurrency": 2, "b.max-concurrency": 2})"})),
              ElementsAre("max_concurrency (request, Maximum request concurrency)",
                          "b.max-concurrency (request, Maximum request concurrency)"));
}

TEST(arrangement, tells_equal_names_of_server_and_benchmark_apart) {
  const std::vector<finished_run> runs{finished(R"({"seed": 1})", R"({"seed": 1})", 0),
                                       finished(R"({"seed": 2})", R"({"seed": 2})", 0)};
  EXPECT_THAT(axes_of(arranged(runs)), ElementsAre("seed (1, seed)", "bench.seed (1, seed)"));
}

TEST(arrangement, leaves_a_rate_without_a_limit_out_of_a_numeric_axis) {
  const arrangement found = of_benches({R"({"request_rate": 1})", R"({"request_rate": "inf"})",
                                        R"({"request_rate": Infinity})", R"({"other": 1})"});
  EXPECT_THAT(axes_of(found), testing::Contains("request_rate (request/s, Request rate)"));
  EXPECT_THAT(found.points[0].axes, ElementsAre(Pair("request_rate", "1")));
}

TEST(arrangement, has_a_text_for_a_rate_without_a_limit_among_texts) {
  const arrangement found = of_benches({R"({"x": "fast"})", R"({"x": "inf"})"});
  EXPECT_THAT(axes_of(found), ElementsAre("x (x)"));
  EXPECT_THAT(found.points[1].axes, ElementsAre(Pair("x", "\"inf\"")));
}

TEST(arrangement, has_names_of_combinations_in_labels_and_as_axes_if_they_are_needed) {
  const arrangement named = of_benches(
      {R"({"_benchmark_name": "short", "x": 1})", R"({"_benchmark_name": "long", "x": 2})"});
  EXPECT_THAT(axes_of(named), ElementsAre("x (1, x)"));
  EXPECT_THAT(named.labels, ElementsAre("short", "long"));
  const arrangement same = of_benches(
      {R"({"_benchmark_name": "short", "x": 1})", R"({"_benchmark_name": "long", "x": 1})"});
  EXPECT_THAT(axes_of(same), ElementsAre("_benchmark_name (Benchmark)"));
  EXPECT_THAT(same.points[0].axes, ElementsAre(Pair("_benchmark_name", "\"short\"")));
}

TEST(arrangement, has_unique_labels_of_one_line) {
  const arrangement found =
      of_benches({"{\"x\": \"a\\nb\"}", "{\"x\": \"a b\"}", R"({"_benchmark_name": "n", "x": 1})",
                  R"({"_benchmark_name": "n", "x": 2})"});
  std::set<std::string> labels;
  for (const std::string& label : found.labels) {
    EXPECT_EQ(label.find('\n'), std::string::npos);
    EXPECT_TRUE(labels.insert(label).second) << label;
  }
}

TEST(arrangement, has_values_of_any_kind) {
  const arrangement found = of_benches(
      {R"({"x": [1, {"a": null}]})", R"({"x": true})", R"({"x": 123456789012345678901234567890})"});
  EXPECT_THAT(found.points[0].axes, ElementsAre(Pair("x", R"([1, {"a": null}])")));
  EXPECT_THAT(found.points[1].axes, ElementsAre(Pair("x", "true")));
  EXPECT_THAT(found.points[2].axes, ElementsAre(Pair("x", "123456789012345678901234567890")));
}

TEST(parameter_json, has_a_text_for_infinity_and_null_for_nan) {
  const options::node infinite = options::node::of(std::numeric_limits<double>::infinity());
  EXPECT_EQ(parameter_json(infinite), "\"inf\"");
  EXPECT_EQ(parameter_json(item_of(R"({"a": NaN, "b": [1.5]})")), R"({"a": null, "b": [1.5]})");
}

}  // namespace
}  // namespace inferbench::experiment
