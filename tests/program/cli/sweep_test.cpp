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
       {"serve", "serve_workload", "serve_sla", "startup", "plot", "plot_pareto", "boundary"}) {
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

TEST(sweep, measures_starts_with_this_program_and_continues) {
  const sweep_box box;
  const std::string servers = box.where.write(
      "server.json", R"({"a": {"backend": "reference-engine", "reference-engine-load": "2s",
                               "port": 8000}, "b": {"backend": "reference-engine"}})");
  const std::string starts =
      box.where.write("starts.json", R"([{"num_iters_cold": 1, "num_iters_warm": 2}])");
  std::vector<std::string> words{"sweep",
                                 "startup",
                                 "--serve-params",
                                 servers,
                                 "--startup-params",
                                 starts,
                                 "--output-dir",
                                 box.where.path("results"),
                                 "--experiment-name",
                                 "starts"};
  const finished end = inferbench(words, box.through());
  ASSERT_EQ(end.status, 0) << end.out << end.err;
  EXPECT_THAT(end.out, StartsWith("Ignoring unsupported startup params for a: port\n"
                                  "[BEGIN BENCHMARK]\nServe overrides: {'_benchmark_name': 'a'"));
  EXPECT_THAT(end.err, HasSubstr("mean cold start 2 s, mean warm start 2 s"));
  const std::string folder = "SERVE--a-STARTUP--num_iters_cold=1-num_iters_warm=2";
  EXPECT_THAT(read(box.experiment("starts") / folder / "run=0.json"),
              AllOf(HasSubstr("\"avg_cold_startup_time\": 2.0"), HasSubstr("\"run_number\": 0")));
  EXPECT_THAT(read(box.experiment("starts") / "summary.csv"), HasSubstr("avg_warm_startup_time"));
  EXPECT_TRUE(box.processes_left().empty());
  const auto before = box.results("starts");
  words.emplace_back("--resume");
  const finished again = inferbench(words);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out,
              AllOf(HasSubstr("[SKIPPED BENCHMARK]"), Not(HasSubstr("[END BENCHMARK]"))));
  EXPECT_EQ(box.results("starts"), before);
  words.back() = "--strict-params";
  const finished strict = inferbench(words);
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.err,
              HasSubstr("server.json:1:7: Ignoring unsupported startup params for a: port"));
}

TEST(sweep, keeps_only_options_of_upstream_for_a_start_up_benchmark_that_is_not_this_program) {
  const sweep_box box;
  const std::string starts = box.where.write(
      "starts.json",
      R"([{"server_cmd": "x", "engine.x": 1, "backend": "b", "num_iters_cold": 1}])");
  const finished end =
      inferbench({"sweep", "startup", "--startup-cmd", "true startup", "--startup-params", starts,
                  "--output-dir", box.where.path("results"), "--dry-run"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, AllOf(HasSubstr(": backend, engine.x, server_cmd\n"),
                             HasSubstr("['true', 'startup', '--num-iters-cold', '1', "
                                       "'--output-json', ")));
}

TEST(sweep, gives_the_times_of_starts_to_a_reporter) {
  const sweep_box box;
  const std::string engines = box.where.write(
      "engines.json",
      R"({"a": {"backend": "reference-engine", "reference_engine_load": "2s", "port": 8123},
          "b": {"backend": "reference-engine", "reference_engine_load": "5s", "port": 8123}})");
  const std::string table = box.where.path("starts.csv");
  const std::vector<std::string> words{"sweep",
                                       "startup",
                                       "--serve-params",
                                       engines,
                                       "--output-dir",
                                       box.where.path("results"),
                                       "--experiment-name",
                                       "starts",
                                       "--reporter",
                                       "csv=" + table};
  const finished misspelt = inferbench({"sweep", "startup", "--reporter", "cvs"});
  EXPECT_EQ(misspelt.status, 1);
  EXPECT_THAT(misspelt.err, HasSubstr("cvs"));
  const finished end = inferbench(words);
  ASSERT_EQ(end.status, 0) << end.err;
  const std::string found = read(table);
  EXPECT_THAT(
      found, AllOf(StartsWith("reference_engine_load,kind,"), HasSubstr(",cold_startup_time_mean,"),
                   HasSubstr(",warm_startup_time_p99,"), HasSubstr("\n2s,run,0,0,1,a,"),
                   HasSubstr("\n5s,run,1,1,1,b,"), HasSubstr("\n5s,point,1,")));
}

TEST(sweep, refuses_arguments_of_a_certified_search_before_a_server_starts) {
  sweep_box box;
  const std::string sla = box.where.write("sla.json", R"([{"p99_e2el_ms": "<=200"}])");
  const auto sweep_of = [&](const std::string& bench, const std::vector<std::string>& more) {
    std::vector<std::string> words{
        "sweep",
        "serve_sla",
        "--serve-cmd",
        sweep_box::in_quotes(INFERBENCH_BINARY) + " simulate --host 127.0.0.1 --port 20080",
        "--bench-cmd",
        sweep_box::in_quotes(INFERBENCH_BINARY) + bench,
        "--sla-params",
        sla,
        "--sla-search",
        "certified",
        "--output-dir",
        box.where.path("results"),
        "--experiment-name",
        "certified"};
    words.insert(words.end(), more.begin(), more.end());
    return inferbench(words);
  };
  const std::string serve =
      " serve --base-url http://127.0.0.1:20080 --model m "
      "--tokenizer-mode bytes --dataset-name random";
  const finished decided = sweep_of(serve + " --num-prompts 10", {"--sla-between", "1", "8"});
  EXPECT_EQ(decided.status, 2);
  EXPECT_THAT(decided.err, HasSubstr("the search sets this itself"));
  const finished bounds = sweep_of(serve, {"--sla-between", "8", "1"});
  EXPECT_EQ(bounds.status, 2);
  EXPECT_THAT(bounds.err, HasSubstr("the smallest load is not below the largest"));
  const finished misspelt =
      sweep_of(serve, {"--sla-between", "1", "8", "--reporter", "csv", "--reporter", "cvs"});
  EXPECT_EQ(misspelt.status, 1);
  EXPECT_THAT(misspelt.err, AllOf(HasSubstr("cvs"), Not(HasSubstr("terminated early"))));
  const finished of_one_run = sweep_of(serve, {"--sla-between", "1", "8", "--reporter", "json"});
  EXPECT_EQ(of_one_run.status, 1);
  EXPECT_THAT(of_one_run.err, HasSubstr("shows one run, and not the runs"));
  const finished no_place = sweep_of(
      serve, {"--sla-between", "1", "8", "--reporter", "csv=" + box.where.path("sla.json/a.csv")});
  EXPECT_EQ(no_place.status, 1);
  EXPECT_THAT(no_place.err, HasSubstr("sla.json"));
  const finished hidden = sweep_of(serve + " --reporter csv=-", {"--sla-between", "1", "8"});
  EXPECT_EQ(hidden.status, 2);
  EXPECT_THAT(hidden.err, HasSubstr("--bench-cmd: csv=- prints"));
  const finished other = sweep_of(" run", {"--sla-between", "1", "8"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("must be inferbench serve"));
  EXPECT_FALSE(std::filesystem::exists(box.experiment("certified")));
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
