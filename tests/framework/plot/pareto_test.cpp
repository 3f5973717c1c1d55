#include "plot/pareto.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

using places = std::vector<std::pair<double, double>>;

places frontier_of_places(const places& all) {
  std::vector<pareto_point> points;
  for (const auto& [x, y] : all) {
    pareto_point p;
    p.tokens_per_user = x;
    p.tokens_per_gpu = y;
    points.push_back(p);
  }
  places out;
  for (const std::size_t at : frontier_of(points))
    out.emplace_back(points[at].tokens_per_user, points[at].tokens_per_gpu);
  return out;
}

pareto_point single(const std::string& run, const pareto_spec& spec = {}) {
  const runs_of runs("[" + run + "]");
  return pareto_of(spec, runs.rows()).points.at(0);
}

std::string pareto_error(const std::string& summary, const pareto_spec& spec = {}) {
  const runs_of runs(summary);
  try {
    static_cast<void>(pareto_of(spec, runs.rows()));
  } catch (const base::error& e) {
    std::string out = e.what();
    if (const auto at = out.find(runs.folder.path()); at != std::string::npos)
      out.replace(at, runs.folder.path().size(), "DIR");
    return out;
  }
  return "no error";
}

TEST(pareto, upstreams_frontiers) {
  EXPECT_EQ(frontier_of_places({{10, 100}, {5, 150}, {2, 200}}),
            (places{{10, 100}, {5, 150}, {2, 200}}));
  EXPECT_EQ(frontier_of_places({{10, 100}, {5, 90}}), (places{{10, 100}}));
  EXPECT_EQ(frontier_of_places({{10, 100}, {5, 100}}), (places{{10, 100}}));
  EXPECT_EQ(frontier_of_places({{10, 100}, {10, 100}}), (places{{10, 100}, {10, 100}}));
  EXPECT_EQ(frontier_of_places({{10, 100}, {10, 100}, {5, 150}, {5, 100}, {2, 140}, {2, 160}}),
            (places{{10, 100}, {10, 100}, {5, 150}, {2, 160}}));
  EXPECT_TRUE(frontier_of_places({}).empty());
}

TEST(pareto, the_order_of_the_points_does_not_matter) {
  places points{{1, 5}, {2, 4}, {3, 4}, {3, 1}};
  std::ranges::sort(points);
  do
    EXPECT_EQ(frontier_of_places(points), (places{{3, 4}, {1, 5}}));
  while (std::ranges::next_permutation(points).found);
}

TEST(pareto, users_come_from_the_variable_then_the_rate_then_the_requests_at_once) {
  const std::string tail = R"("output_throughput": 100, "max_concurrent_requests": 7})";
  EXPECT_EQ(single(R"({"max_concurrency": 4, "request_rate": 2, )" + tail).users, 4);
  EXPECT_EQ(single(R"({"request_rate": 2, )" + tail).users, 2);
  EXPECT_EQ(single("{" + tail).users, 7);
  EXPECT_EQ(single(R"({"max_concurrency": 0, "request_rate": 2, )" + tail).users, 7);
  // A maximum that is present and null is not replaced by the rate.
  EXPECT_EQ(single(R"({"max_concurrency": null, "request_rate": 2, )" + tail).users, 7);
  EXPECT_EQ(single(R"({"max-concurrency": "4", )" + tail).users, 4);
  EXPECT_EQ(
      single(R"({"users": 5, "max_concurrency": 4, )" + tail, {.user_count_var = "users"}).users,
      5);
}

TEST(pareto, an_infinite_rate_is_no_number_of_users) {
  EXPECT_EQ(single(R"({"request_rate": "inf", "output_throughput": 100,
                       "max_concurrent_requests": 7})")
                .users,
            7);
  EXPECT_EQ(single(R"({"request_rate": "inf", "output_throughput": 100})").tokens_per_user, 0);
}

TEST(pareto, gpus_come_from_the_variable_then_the_record_then_the_parallel_sizes) {
  const std::string tail = R"("output_throughput": 100, "max_concurrency": 10})";
  EXPECT_EQ(single("{" + tail).gpus, 1);
  EXPECT_EQ(single(R"({"tensor_parallel_size": 2, "pp": 3, "data-parallel-size": 2, )" + tail).gpus,
            12);
  EXPECT_EQ(single(R"({"tensor_parallel_size": 0, "tp": 4, )" + tail).gpus, 4);
  EXPECT_EQ(single(R"({"gpu_count": 8, "tp": 4, )" + tail).gpus, 8);
  EXPECT_EQ(single(R"({"num_gpus": 16, "gpu_count": 8, )" + tail).gpus, 16);
  EXPECT_EQ(single(R"({"g": 3, "gpu_count": 8, )" + tail, {.gpu_count_var = "g"}).gpus, 3);
  EXPECT_EQ(single(R"({"g": 0, "gpu_count": 8, )" + tail, {.gpu_count_var = "g"}).gpus, 8);
}

TEST(pareto, a_point_has_throughput_per_user_and_per_gpu_labels_and_cost) {
  pareto_spec spec;
  spec.gpu_price_per_hour = 3.6;
  spec.label_by = {"max_concurrency", "gpu_count", "missing", "tokens_per_gpu"};
  const pareto_point p =
      single(R"({"output_throughput": 100, "max_concurrency": 10, "tp": 2})", spec);
  EXPECT_EQ(p.tokens_per_user, 10);
  EXPECT_EQ(p.tokens_per_gpu, 50);
  EXPECT_DOUBLE_EQ(*p.cost, 20);
  EXPECT_EQ(p.label,
            "max_concurrency=10\ngpu_count=2.0\ntokens_per_gpu=50.0\ncost_per_million_tokens=20");
  EXPECT_EQ(single(R"({"output_throughput": 1, "max_concurrency": 1})", {.label_by = {}}).label,
            "");
  EXPECT_EQ(single(R"({"output_throughput": 0, "max_concurrency": 1})", spec).cost, std::nullopt);
}

TEST(pareto, runs_without_a_number_of_users_are_counted) {
  const runs_of runs(R"([{"output_throughput": 5}, {"output_throughput": 5, "request_rate": 0},
                         {"output_throughput": 5, "max_concurrency": 1}])");
  const pareto_data data = pareto_of({}, runs.rows());
  EXPECT_EQ(data.skipped, 2U);
  EXPECT_EQ(data.points.size(), 1U);
  EXPECT_THAT(data.frontier, testing::ElementsAre(0U));
}

TEST(pareto, runs_without_a_completed_request_are_counted) {
  const runs_of runs(R"([{"output_throughput": 0, "max_concurrency": 1, "completed": 0},
                         {"output_throughput": 5, "max_concurrency": 1, "completed": 2}])");
  const pareto_data data = pareto_of({}, runs.rows());
  EXPECT_EQ(data.uncompleted, 1U);
  EXPECT_EQ(data.points.size(), 1U);
  EXPECT_EQ(pareto_error(R"([{"output_throughput": 0, "max_concurrency": 1, "completed": 0}])"),
            "none of the 1 runs completed a request");
}

TEST(pareto, users_that_are_a_peak_are_marked) {
  const std::string tail = R"("output_throughput": 100, "max_concurrent_requests": 7})";
  EXPECT_TRUE(single(R"({"max_concurrency": null, )" + tail).peak);
  EXPECT_FALSE(single(R"({"max_concurrency": 7, )" + tail).peak);
}

TEST(pareto, labels_begin_with_the_name_where_names_differ_unless_the_user_chose_the_keys) {
  const runs_of runs(R"([{"output_throughput": 5, "max_concurrency": 1, "_benchmark_name": "a"},
                         {"output_throughput": 6, "max_concurrency": 1, "_benchmark_name": "b"}])");
  EXPECT_EQ(pareto_of({}, runs.rows()).points[1].label,
            "_benchmark_name=b\nmax_concurrency=1\ngpu_count=1.0");
  pareto_spec spec;
  spec.labels_given = true;
  EXPECT_EQ(pareto_of(spec, runs.rows()).points[1].label, "max_concurrency=1\ngpu_count=1.0");
}

TEST(pareto, parameters_that_tell_equal_labels_apart_are_named) {
  const runs_of a(
      R"([{"output_throughput": 5, "max_concurrency": 1, "run_number": 0, "seqs": 2}])");
  const runs_of b(
      R"([{"output_throughput": 6, "max_concurrency": 1, "run_number": 0, "seqs": 8}])");
  std::vector<run_row> both = a.rows();
  both.insert(both.end(), b.table.rows().begin(), b.table.rows().end());
  EXPECT_THAT(pareto_of({}, both).unlabelled, testing::ElementsAre("seqs"));
  pareto_spec spec;
  spec.label_by = {"seqs"};
  EXPECT_THAT(pareto_of(spec, both).unlabelled, testing::IsEmpty());
  spec.label_by = {};
  EXPECT_THAT(pareto_of(spec, both).unlabelled, testing::IsEmpty());
}

TEST(pareto, the_frontier_is_in_the_order_of_x) {
  const runs_of runs(R"([{"output_throughput": 100, "max_concurrency": 1},
                         {"output_throughput": 200, "max_concurrency": 10},
                         {"output_throughput": 50, "max_concurrency": 10}])");
  EXPECT_THAT(pareto_of({}, runs.rows()).frontier, testing::ElementsAre(1U, 0U));
}

TEST(pareto, records_that_cannot_be_used_are_errors) {
  EXPECT_EQ(pareto_error(R"([{"a": 1, "b": 2}])"),
            "DIR/summary.json: run 0 has no output_throughput; its keys: a, b");
  EXPECT_EQ(pareto_error(R"([{"output_throughput": "fast"}])"),
            "DIR/summary.json: run 0: output_throughput is \"fast\" and not a number");
  EXPECT_EQ(pareto_error(R"([{"output_throughput": 5, "max_concurrency": [1]}])"),
            "DIR/summary.json: run 0: max_concurrency is \"[1]\" and not a number");
  EXPECT_EQ(pareto_error(R"([{"output_throughput": 5}])"),
            "none of the 1 runs has a number of users; name the key that has it with "
            "--user-count-var");
  EXPECT_EQ(pareto_error(R"([{"output_throughput": 5, "max_concurrency": -1}])"),
            "DIR/summary.json: run 0: users, GPUs and output_throughput must not be negative or "
            "NaN");
  EXPECT_EQ(pareto_error("[]"), "the summary.json files have no run");
}

}  // namespace
}  // namespace inferbench::plot
