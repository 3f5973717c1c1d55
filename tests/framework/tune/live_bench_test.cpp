// The bench with stand-ins for server, benchmark and search.
#include "tune/live_bench.hpp"

#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/sweep_failures.hpp"
#include "support/own_host.hpp"
#include "tuning_box.hpp"

namespace inferbench::tune {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double infinite_rate = std::numeric_limits<double>::infinity();
constexpr tuned_pair only_pair{4, 8};

class bench_box : public tuning_box {
 public:
  explicit bench_box(const std::vector<std::string>& more = {})
      : request(parse_tune(flags(more), {})), bench({request, console, stop, folder.path()}) {}

  void start() { ASSERT_EQ(bench.start_server({only_pair}), ""); }

  tune_request request;
  live_bench bench;
};

TEST(a_live_bench, measures_a_server_and_keeps_its_output) {
  bench_box box({"--vllm-logging-level", "DEBUG"});
  box.start();
  const benchmark_end end = box.bench.benchmark({only_pair, infinite_rate, 10});
  ASSERT_TRUE(end.figures) << end.problem;
  EXPECT_EQ(end.figures->throughput, 3.5);
  EXPECT_EQ(end.figures->e2el_ms, 900);
  box.bench.stop_server();
  EXPECT_THAT(box.text("vllm_log_4_8.txt"),
              AllOf(HasSubstr("listening\nDEBUG\n"), HasSubstr("a warning\n")));
  EXPECT_THAT(box.text("bm_log_4_8_requestrate_inf.txt"),
              AllOf(HasSubstr("a benchmark\n"), HasSubstr("a warning\n")));
  EXPECT_TRUE(box.has("bm_log_4_8_requestrate_inf.json"));
  EXPECT_THAT(box.printed(), HasSubstr("Request rate inf: throughput 3.50 req/s, P99 E2EL 900.00 "
                                       "ms, goodput 3.50 req/s\n"));
}

TEST(a_live_bench, gives_the_reason_why_a_server_does_not_start) {
  bench_box box;
  EXPECT_THAT(box.bench.start_server({{13, 8}, 98, server_purpose::memory_trial}),
              StartsWith("the server /proc/self/exe ended with exit status 3; the last lines of "
                         "its output:\nout of memory"));
  EXPECT_EQ(box.text("vllm_log_gpu_memory_utilization_0.98.log"), "out of memory\n");
  // The port is free again.
  box.start();
}

TEST(a_live_bench, ends_the_wait_for_a_server_that_is_never_ready) {
  bench_box box({"--server-ready-timeout", "1"});
  box.request.serve_command = {"sh", "-c",     "echo begun; exec sleep 1000",
                               "sh", "--host", support::own_host()};
  // The shortest time that a flag can have would make the test wait.
  box.request.ready_timeout_s = 0;
  EXPECT_THAT(box.bench.start_server({only_pair}),
              AllOf(StartsWith("the server sh was not ready within 0 s: "),
                    HasSubstr("give it more time by --server-ready-timeout")));
}

TEST(a_live_bench, does_not_measure_a_server_of_somebody_else) {
  bench_box other;
  other.start();
  bench_box box;
  EXPECT_THAT(box.bench.start_server({only_pair}), HasSubstr("another process listens at "));
}

TEST(a_live_bench, empties_the_cache_by_a_post) {
  bench_box box({"--reset-path", "/flush"});
  box.start();
  box.bench.reset_cache();
  EXPECT_THAT(box.text("log"), testing::EndsWith("POST /flush\n"));
}

TEST(a_live_bench, goes_on_if_the_cache_cannot_be_emptied) {
  bench_box box;
  box.request.serve_command.insert(box.request.serve_command.end(),
                                   {"--missing", "/reset_prefix_cache"});
  box.start();
  box.bench.reset_cache();
  box.bench.reset_cache();
  EXPECT_THAT(box.text("log"), HasSubstr("POST /reset_prefix_cache\nPOST /reset_prefix_cache\n"));
  EXPECT_TRUE(box.bench.benchmark({only_pair, 2, 10}).figures);
}

TEST(a_live_bench, does_not_ask_a_server_without_a_cache) {
  bench_box box({"--reset-path", "none"});
  box.start();
  box.bench.reset_cache();
  EXPECT_THAT(box.text("log"), testing::Not(HasSubstr("POST")));
}

TEST(a_live_bench, has_no_figures_of_a_benchmark_that_fails) {
  bench_box box({"--bench-options=--fake broken"});
  box.start();
  // A result of an earlier benchmark is not taken for its result.
  box.folder.write("bm_log_4_8_requestrate_2.json", R"({"completed": 1})");
  const benchmark_end end = box.bench.benchmark({only_pair, 2, 10});
  EXPECT_FALSE(end.figures);
  EXPECT_EQ(end.problem, "the benchmark ended with exit status 5: a last line; its output is in " +
                             box.folder.path("bm_log_4_8_requestrate_2.txt"));
  EXPECT_FALSE(box.has("bm_log_4_8_requestrate_2.json"));
}

TEST(a_live_bench, has_no_figures_of_a_benchmark_without_a_result) {
  bench_box box({"--bench-options=--fake nothing"});
  box.start();
  EXPECT_THAT(box.bench.benchmark({only_pair, 2, 10}).problem,
              HasSubstr("bm_log_4_8_requestrate_2.json"));
}

TEST(a_live_bench, says_how_many_requests_failed) {
  bench_box box({"--bench-options=--fake lossy"});
  box.start();
  EXPECT_TRUE(box.bench.benchmark({only_pair, 2, 10}).figures);
  EXPECT_THAT(box.printed(), HasSubstr("goodput 2.00 req/s; 1 requests failed\n"));
}

TEST(a_live_bench, ends_a_benchmark_whose_server_has_ended) {
  bench_box box({"--bench-options=--fake deadly"});
  box.start();
  const benchmark_end end = box.bench.benchmark({only_pair, 2, 10});
  EXPECT_FALSE(end.figures);
  EXPECT_THAT(end.problem, AllOf(StartsWith("the server /proc/self/exe ended with exit status 3"),
                                 HasSubstr("out of memory")));
}

TEST(a_live_bench, takes_the_figures_of_a_search_from_the_run_at_its_limit) {
  bench_box box;
  box.start();
  const search_end end = box.bench.search({only_pair, 1, 4});
  ASSERT_TRUE(end.found) << end.problem;
  EXPECT_EQ(end.found->rate, 2.5);
  EXPECT_EQ(end.found->figures.e2el_ms, 250);
  EXPECT_EQ(box.text("bm_log_4_8_find.txt"), "a search\n");
  EXPECT_EQ(box.text("bm_log_4_8_requestrate_2.5.txt"), "a report\n");
}

TEST(a_live_bench, tells_a_search_that_finds_no_rate_from_a_search_that_fails) {
  bench_box none({"--bench-options=--fake none"});
  none.start();
  const search_end nothing = none.bench.search({only_pair, 1, 4});
  EXPECT_FALSE(nothing.found);
  EXPECT_EQ(nothing.problem, "");
  none.bench.stop_server();
  bench_box broken({"--bench-options=--fake broken"});
  broken.start();
  EXPECT_THAT(broken.bench.search({only_pair, 1, 4}).problem,
              StartsWith("the search ended with exit status 1: a search; its output is in "));
}

TEST(a_live_bench, makes_the_folder_of_the_profile) {
  bench_box box;
  ASSERT_EQ(box.bench.start_server({only_pair, {}, server_purpose::profile}), "");
  EXPECT_TRUE(std::filesystem::is_directory(box.folder.path("profile")));
  EXPECT_TRUE(box.bench.benchmark({only_pair, 2, 10, true}).figures);
  EXPECT_TRUE(box.has("vllm_log_BEST_PROFILE.txt"));
  EXPECT_TRUE(box.has("bm_log_BEST_PROFILE.txt"));
}

TEST(a_live_bench, keeps_the_lines_of_the_result_at_once) {
  bench_box box;
  box.bench.record("hash:x");
  EXPECT_EQ(box.text("result.txt"), "hash:x\n");
  box.bench.record("a line");
  EXPECT_EQ(box.text("result.txt"), "hash:x\na line\n");
}

TEST(a_live_bench, stops_when_the_user_interrupts) {
  bench_box box;
  box.start();
  box.stop = true;
  EXPECT_THROW(static_cast<void>(box.bench.start_server({only_pair})), experiment::stopped_sweep);
  box.stop = false;
  box.start();
  box.stop = true;
  EXPECT_THROW(static_cast<void>(box.bench.benchmark({only_pair, 2, 10})),
               experiment::stopped_sweep);
  EXPECT_THROW(box.bench.pause(std::chrono::seconds(1000)), experiment::stopped_sweep);
  EXPECT_THROW(box.bench.reset_cache(), experiment::stopped_sweep);
}

}  // namespace
}  // namespace inferbench::tune
