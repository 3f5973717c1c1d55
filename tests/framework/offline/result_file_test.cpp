#include "offline/result_file.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

using testing::HasSubstr;

constexpr double infinite = std::numeric_limits<double>::infinity();

std::string record_with(const options::node& args, const pytorch_metric& metric,
                        const std::string& output_json = "r.json") {
  const std::vector<pytorch_metric> metrics{metric};
  return pytorch_text({args, "m", output_json}, metrics);
}

bool wanted_with(const char* value) {
  options::environment env;
  if (value != nullptr) env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = value;
  return wants_pytorch(env, "r.json");
}

TEST(result_file, objects_are_indented_and_numbers_are_those_of_python) {
  options::node value = options::node::table();
  value.set("a", options::node::of(1e16));
  value.set("b", options::node::of(std::int64_t{3}));
  value.set("c", options::node::of(std::string("ä")));
  value.set("d", options::node::list());
  value.set("e", options::node::of(infinite));
  value.set("f", options::node::table());
  EXPECT_EQ(result_text(value),
            "{\n    \"a\": 1e+16,\n    \"b\": 3,\n    \"c\": \"\\u00e4\",\n    \"d\": [],\n"
            "    \"e\": Infinity,\n    \"f\": {}\n}");
  EXPECT_THAT(result_text(value, 2), HasSubstr("{\n  \"a\": "));
}

TEST(result_file, records_are_written_if_the_variable_is_not_empty) {
  EXPECT_FALSE(wanted_with(nullptr));
  EXPECT_FALSE(wanted_with(""));
  EXPECT_TRUE(wanted_with("1"));
  EXPECT_TRUE(wanted_with("0"));
  EXPECT_FALSE(wants_pytorch({{{"SAVE_TO_PYTORCH_BENCHMARK_FORMAT", "1"}}, nullptr}, std::nullopt));
}

TEST(result_file, the_last_extension_is_replaced) {
  EXPECT_EQ(pytorch_path("a/b.json"), "a/b.pytorch.json");
  EXPECT_EQ(pytorch_path("a/b.x.json"), "a/b.x.pytorch.json");
  EXPECT_EQ(pytorch_path("a.b/c"), "a.b/c.pytorch.json");
  EXPECT_EQ(pytorch_path("a/.json"), "a/.json.pytorch.json");
  EXPECT_EQ(pytorch_path("a/..b.json"), "a/..b.pytorch.json");
  EXPECT_EQ(pytorch_path("r.json", "cold_startup"), "r.cold_startup.pytorch.json");
  EXPECT_EQ(pytorch_path(""), ".pytorch.json");
  EXPECT_EQ(pytorch_path("..."), "....pytorch.json");
}

TEST(result_file, a_record_is_that_of_its_golden_file) {
  const offline_line line =
      line_of({"--model", "m", "-tp", "2", "--output-json", "r.json"}, benchmark::latency);
  pytorch_metric metric{"latency", {0.51, 0.49}, options::node::table()};
  metric.extra_info.set("avg_latency", options::node::of(0.5));
  support::expect_golden(record_with(arguments_of(line), metric),
                         std::string(INFERBENCH_FIXTURES) + "/offline/latency_record.json");
}

TEST(result_file, settings_come_from_the_metric_then_from_the_arguments) {
  const options::node args =
      arguments_of(line_of({"--compilation-config.mode", "3", "-O2"}, benchmark::latency));
  pytorch_metric metric{"latency", {1}, options::node::table()};
  EXPECT_THAT(
      record_with(args, metric),
      HasSubstr(R"("compilation_config.mode": 3, "optimization_level": 2, "use_compile": true)"));
  metric.extra_info.set("compilation_config.mode", options::node::of(std::string("0")));
  EXPECT_THAT(
      record_with(args, metric),
      HasSubstr(
          R"("compilation_config.mode": "0", "optimization_level": 2, "use_compile": false)"));
}

TEST(result_file, eager_in_the_name_of_a_file_means_no_compilation) {
  const pytorch_metric metric{"latency", {1}, options::node::table()};
  options::node args = options::node::table();
  EXPECT_THAT(record_with(args, metric), HasSubstr("\"use_compile\": true"));
  EXPECT_THAT(record_with(args, metric, "x/eager.json"), HasSubstr("\"use_compile\": false"));
  args.set("result_filename", options::node::of(std::string("eager")));
  EXPECT_THAT(record_with(args, metric), HasSubstr("\"use_compile\": false"));
}

TEST(result_file, the_parallel_size_of_the_metric_fills_a_gap) {
  pytorch_metric metric{"latency", {1}, options::node::table()};
  metric.extra_info.set("tensor_parallel_size", options::node::of(std::int64_t{4}));
  EXPECT_THAT(record_with(options::node::table(), metric),
              HasSubstr(R"("args": {"tensor_parallel_size": 4})"));
  options::node args = options::node::table();
  args.set("tensor_parallel_size", options::node::of(std::int64_t{2}));
  EXPECT_THAT(record_with(args, metric), HasSubstr(R"("args": {"tensor_parallel_size": 2})"));
}

TEST(result_file, infinite_numbers_become_a_text_and_nan_stays) {
  const pytorch_metric metric{
      "latency", {infinite, -infinite, std::nan("")}, options::node::table()};
  EXPECT_THAT(record_with(options::node::table(), metric),
              HasSubstr(R"("benchmark_values": ["inf", "inf", NaN])"));
}

TEST(result_file, a_record_without_a_model_has_null) {
  const std::vector<pytorch_metric> metrics{{"latency", {1}, options::node::table()}};
  EXPECT_THAT(pytorch_text({options::node::table(), "", "r.json"}, metrics),
              HasSubstr(R"("model": {"name": null})"));
  EXPECT_EQ(pytorch_text({options::node::table(), "", "r.json"}, {}), "[]");
}

}  // namespace
}  // namespace inferbench::offline
