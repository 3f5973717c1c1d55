#include "compare/measured_run.hpp"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::HasSubstr;

class measured : public testing::Test {
 protected:
  [[nodiscard]] measured_run read(const std::string& text) {
    return read_run(box.folder.write("a.json", text), {}, box.log);
  }
  run_box box;
};

using a_measured_run = measured;

TEST_F(a_measured_run, has_the_figures_of_a_result_of_vllm) {
  const measured_run found =
      read(result_text({.throughput = 120, .ttft_ms = 40, .completed = 18, .failed = 2}));
  EXPECT_EQ(found.of, benchmark::server);
  EXPECT_EQ(found.figures.at("output_throughput"), 120);
  EXPECT_EQ(found.figures.at("ttft.p50"), 40);
  EXPECT_EQ(found.figures.at("ttft.p99"), 80);
  EXPECT_EQ(found.completed, 18);
  EXPECT_EQ(found.failed, 2);
  EXPECT_EQ(found.failed_share(), 0.1);
  EXPECT_FALSE(found.completed_nothing());
  EXPECT_FALSE(found.place.has_value());
  EXPECT_NE(found.started_unix_ns, 0);
  EXPECT_EQ(found.settings.common.at("max_concurrency"), "4");
}

TEST_F(a_measured_run, states_what_is_doubtful) {
  const measured_run found = read(result_text(
      {.completed = 0,
       .more = R"(, "inferbench": {"run": "r", "interrupted": true, "config": {}, "facts": {)"
               R"("client": {"verdict": "INVALID"}, "prefix_cache": {"hit_rate": 0.25}}})"}));
  EXPECT_TRUE(found.completed_nothing());
  EXPECT_EQ(found.failed_share(), std::nullopt);
  EXPECT_EQ(found.verdict, "INVALID");
  EXPECT_EQ(found.cached_share, 0.25);
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(found.name, "r");
}

TEST_F(a_measured_run, does_not_count_cancelled_requests_as_failed) {
  const measured_run found =
      read(result_text({.completed = 9,
                        .failed = 11,
                        .more = R"(, "inferbench": {"run": "r", "config": {}, "facts": {)"
                                R"("accounting": {"sent": 20, "ok": 9, "failed": 1, )"
                                R"("cancelled": 10}}})"}));
  EXPECT_EQ(found.failed, 1);
  EXPECT_EQ(found.failed_share(), 0.1);
}

TEST_F(a_measured_run, may_be_of_a_benchmark_without_a_server) {
  const measured_run throughput =
      read(R"({"elapsed_time": 2.0, "num_requests": 10, "requests_per_second": 5.0})");
  EXPECT_EQ(throughput.of, benchmark::throughput);
  EXPECT_EQ(throughput.figures.at("requests_per_second"), 5);
  const measured_run latency =
      read(R"({"avg_latency": 0.5, "latencies": [0.5], "percentiles": {"99": 0.75, "x": 1,
              "50": "no"}})");
  EXPECT_EQ(latency.of, benchmark::latency);
  EXPECT_EQ(latency.figures.at("latency.p99"), 0.75);
  EXPECT_EQ(latency.figures.size(), 2U);
}

TEST_F(a_measured_run, of_pooling_has_no_tokens) {
  EXPECT_EQ(read(R"({"completed": 3, "request_throughput": 5.0, "mean_e2el_ms": 4.0})").of,
            benchmark::pooling);
}

TEST_F(a_measured_run, drops_values_that_are_no_numbers) {
  const measured_run found =
      read(R"({"completed": 3, "request_throughput": NaN, "output_throughput": "inf"})");
  EXPECT_EQ(found.figures.count("request_throughput"), 0U);
  EXPECT_EQ(found.of, benchmark::pooling);
}

TEST_F(a_measured_run, knows_its_place_in_a_comparison_with_own_runs) {
  const auto place = [&](const std::string& members) {
    return read(result_text({.more = members})).place;
  };
  EXPECT_EQ(
      place(R"(, "compare_id": "ab", "compare_arm": 1, "compare_block": 3, "compare_run": 0)"),
      (block_place{"ab", 1, 3, 0}));
  EXPECT_FALSE(place(R"(, "compare_id": "ab", "compare_arm": 2, "compare_block": 3,
                     "compare_run": 0)"));
  EXPECT_FALSE(place(R"(, "compare_id": "ab", "compare_arm": 1, "compare_block": -3,
                     "compare_run": 0)"));
  EXPECT_FALSE(place(R"(, "compare_id": 1, "compare_arm": 1, "compare_block": 3,
                     "compare_run": 0)"));
}

TEST_F(a_measured_run, is_refused_with_its_file) {
  EXPECT_THAT(box.refusal([&] { (void)read("{}"); }),
              HasSubstr("a.json: the file is not the result of a benchmark"));
  EXPECT_THAT(box.refusal([&] { (void)read("[1, 2]"); }),
              HasSubstr("a.json: the file does not contain a JSON object"));
  EXPECT_THAT(box.refusal([&] { (void)read("{\"completed\": 3"); }), HasSubstr("a.json"));
  EXPECT_THAT(box.refusal([&] { (void)read(""); }), HasSubstr("a.json"));
  EXPECT_THAT(box.refusal([&] { (void)read("\x89IFBJ\r\n\x1a"); }), HasSubstr("a.json"));
}

}  // namespace
}  // namespace inferbench::compare
