// The commands `inferbench sweep ...`, with real servers and benchmarks.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/process.hpp"
#include "program/cli/sweep_box.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A sweep whose benchmark does not end.
class blocked_sweep : public sweep_box {
 public:
  blocked_sweep() { bench = "sh -c \"touch '" + where.path("begun") + "'; sleep 100000\""; }
  void await_benchmark(process& sweep) const {
    while (sweep.running() && !std::filesystem::exists(where.path("begun")))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
};

TEST(sweep, shows_its_commands) {
  const finished help = inferbench({"sweep", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, StartsWith("usage: inferbench sweep COMMAND"));
  for (const char* name :
       {"serve", "serve_workload", "serve_sla", "plot", "plot_pareto", "boundary"}) {
    EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + name + " "));
    const finished own = inferbench({"sweep", name, "--help"});
    EXPECT_EQ(own.status, 0) << name;
    EXPECT_THAT(own.out, HasSubstr("sage: inferbench sweep " + std::string(name)));
  }
  const finished bare = inferbench({"sweep"});
  EXPECT_EQ(bare.status, 2);
  EXPECT_EQ(bare.out, "");
  EXPECT_EQ(bare.err, help.out);
}

TEST(sweep, refuses_an_unknown_command_with_the_nearest) {
  const finished end = inferbench({"bench", "sweep", "server"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.err, "inferbench: unknown command sweep server; did you mean serve?\n");
}

TEST(sweep, has_the_status_2_for_arguments_and_1_for_values) {
  const sweep_box box;
  EXPECT_EQ(inferbench({"sweep", "serve"}).status, 2);
  EXPECT_EQ(inferbench(box.arguments("trip", {"--no-such-flag"})).status, 2);
  EXPECT_EQ(inferbench(box.arguments("trip", {"--num-runs", "0"})).status, 1);
  EXPECT_EQ(inferbench(box.arguments("trip", {"--resume"})).status, 1);
  EXPECT_EQ(inferbench(box.arguments("trip", {"--dry-run"})).status, 0);
  EXPECT_FALSE(std::filesystem::exists(box.experiment("trip")));
}

TEST(sweep, finds_a_misspelt_reporter_before_the_first_run) {
  const sweep_box box;
  const finished end = inferbench(box.arguments("trip", {"--reporter", "cvs"}));
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.err, HasSubstr("cvs"));
  EXPECT_FALSE(std::filesystem::exists(box.experiment("trip")));
}

TEST(sweep, gives_all_runs_to_a_reporter) {
  const sweep_box box;
  const std::string table = box.where.path("runs.csv");
  const finished end = inferbench(box.arguments("trip", {"--reporter", "csv=" + table}));
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("Experiment has been saved at: "));
  EXPECT_THAT(end.err,
              HasSubstr("combination 2 of 2, run 2 of 2, 00:00:00 left; last: 10.1 req/s"));
  const std::string rows = read(table);
  EXPECT_EQ(std::ranges::count(rows, '\n') >= 5, true) << rows;
}

TEST(sweep, says_that_another_process_listens_at_the_servers_port) {
  const simulator other;
  sweep_box box;
  const std::string url = other.url();
  const std::string port = url.substr(url.rfind(':') + 1);
  const finished end = inferbench(
      box.arguments("trip", {"--serve-cmd", sweep_box::in_quotes(INFERBENCH_BINARY) +
                                                " simulate --host 127.0.0.1 --port " + port}));
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.out, AllOf(HasSubstr("[FAILED SERVER COMBINATION] a: another process listens at"),
                             HasSubstr("[FAILED SERVER COMBINATION] b: another process listens at"),
                             Not(HasSubstr("[BEGIN BENCHMARK]"))));
  EXPECT_THAT(end.err, HasSubstr("some runs failed, see above; --resume --experiment-name trip"));
}

TEST(sweep, ends_with_the_first_benchmark_that_fails) {
  sweep_box box;
  box.bench = "sh -c 'echo no memory >&2; exit 3'";
  const finished end = inferbench(box.arguments("trip"), box.through());
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.err,
              AllOf(HasSubstr("no memory\n"),
                    EndsWith("inferbench: the sweep was terminated early: the benchmark sh "
                             "ended with exit status 3; --resume --experiment-name trip "
                             "continues from the last finished run\n")));
  EXPECT_TRUE(box.processes_left().empty());
}

TEST(sweep, ends_with_all_its_processes_when_the_user_interrupts) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const blocked_sweep box;
    process sweep(box.arguments("trip"), 0, box.through());
    box.await_benchmark(sweep);
    EXPECT_FALSE(box.processes_left().empty());
    sweep.signal(signal);
    const finished end = sweep.wait();
    EXPECT_EQ(end.status, 1);
    EXPECT_THAT(end.err,
                EndsWith("inferbench: the sweep was terminated early: interrupted; --resume "
                         "--experiment-name trip continues from the last finished run\n"));
    EXPECT_TRUE(box.processes_left().empty());
  }
}

TEST(sweep, refuses_a_second_sweep_in_the_same_folder) {
  const blocked_sweep box;
  process first(box.arguments("trip"), 0, box.through());
  box.await_benchmark(first);
  const finished second = inferbench(box.arguments("trip", {"--resume"}));
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.err, AllOf(HasSubstr("another sweep (process " + std::to_string(first.pid()) +
                                          ") works in"),
                                HasSubstr("wait for its end")));
  EXPECT_TRUE(first.running());
  first.signal(SIGKILL);
  first.wait();
  box.await_no_process();
}

TEST(sweep, measures_simulators_with_this_program_and_plots_the_results) {
  sweep_box box;
  box.bench = sweep_box::in_quotes(INFERBENCH_BINARY) +
              " serve --backend vllm --base-url URL --tokenizer-mode bytes --dataset-name random "
              "--random-input-len 5 --random-output-len 3 --num-prompts 3 --max-concurrency 2 "
              "--model m --metric-percentiles 50,95";
  const std::vector<std::string> words = box.arguments("trip");
  const std::string server = words[3];
  const auto host = server.find("--host ") + 7;
  const std::string url = "http://" + server.substr(host, server.find(' ', host) - host) + ":20080";
  box.bench = replaced(box.bench, "URL", url);
  const finished end = inferbench(box.arguments("trip"), box.through());
  ASSERT_EQ(end.status, 0) << end.out << end.err;
  EXPECT_THAT(read(box.experiment("trip") / "summary.csv"), HasSubstr("request_throughput"));
  EXPECT_TRUE(box.processes_left().empty());
  const std::string folder = box.experiment("trip").string();
  EXPECT_EQ(inferbench({"sweep", "plot", folder, "--format", "html"}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder + "/FIGURE.html"));
  EXPECT_EQ(inferbench({"sweep", "plot_pareto", folder, "--format", "svg"}).status, 0);
  EXPECT_EQ(inferbench({"sweep", "boundary", folder}).status, 0);
  EXPECT_EQ(inferbench({"sweep", "plot", box.where.path() + "/no"}).status, 1);
}

}  // namespace
}  // namespace inferbench::testing
