// Complete runs against the simulator. Programs that share no code with the framework check them.
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "program/cli/serve_runs.hpp"

namespace inferbench::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(serve, agrees_with_the_ground_truth_of_the_server) {
  const folder where;
  const std::string truth = where.path("truth.log");
  simulator server(
      {"--ttft", "uniform(5ms,15ms)", "--itl", "uniform(0.5ms,2ms)", "--ground-truth", truth});
  auto flags = sharegpt(server, where, "1000");
  add(flags, {"--request-rate", "200", "--max-concurrency", "64", "--percentile-metrics",
              "ttft,tpot,itl,e2el,client_queue_time,e2el_including_client_queue",
              "--metric-percentiles", "50,90,99.9", "--goodput", "ttft:100", "tpot:50"});
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  server.stop();

  const auto json = result_in(where);
  EXPECT_EQ(number(json, "completed"), 1000);
  EXPECT_EQ(number(json, "failed"), 0);
  EXPECT_EQ(json["max_concurrency"].GetInt(), 64);
  EXPECT_EQ(json["request_rate"].GetDouble(), 200);
  const auto& accounting = json["inferbench"]["facts"]["accounting"];
  EXPECT_EQ(accounting["planned"].GetInt(), 1000);
  EXPECT_EQ(accounting["never_sent"].GetInt(), 0);
  EXPECT_LE(json["inferbench"]["facts"]["peak_concurrency"]["requests"].GetInt(), 64);

  EXPECT_EQ(python("recompute.py", {where.only(".json")}), 0);
  EXPECT_EQ(python("compare_truth.py", {where.only(".json"), truth, "r-"}), 0);
  EXPECT_THAT(run.out, HasSubstr("============ Serving Benchmark Result ============\n"
                                 "Successful requests:                     1000      \n"
                                 "Failed requests:                         0         \n"
                                 "Maximum request concurrency:             64        \n"
                                 "Request rate configured (RPS):           200.00    \n"));
  EXPECT_THAT(run.out, HasSubstr("Saved result: " + where.only(".json")));
  EXPECT_THAT(run.out, HasSubstr("Saved journal: " + where.only(".journal")));
}

TEST(serve, speaks_chat_and_asks_the_server_for_model_and_tokens) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0.2ms", "--model", "org/chatty"});
  auto flags = sharegpt(server, where, "20");
  flags[2] = "openai-chat";
  flags[6] = "server";
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = result_in(where);
  EXPECT_EQ(number(json, "completed"), 20);
  EXPECT_EQ(base::text_of(base::find(json, "model_id")), "org/chatty");
  EXPECT_EQ(base::text_of(base::find(json, "backend")), "openai-chat");
  EXPECT_GT(number(json, "total_output_tokens"), 0);
  EXPECT_THAT(where.only(".json"), HasSubstr("openai-chat-infqps-chatty-"));
  EXPECT_EQ(python("recompute.py", {where.only(".json")}), 0);
}

TEST(serve, random_prompts_have_the_length_asked_for) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run =
      inferbench({"serve", "--base-url", server.url(), "--model", "m", "--tokenizer-mode", "bytes",
                  "--num-prompts", "30", "--random-input-len", "100", "--random-output-len", "7",
                  "--save-result", "--save-detailed", "--result-dir", where.path()});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = result_in(where);
  for (const auto& n : json["input_lens"].GetArray())
    EXPECT_EQ(n.GetInt(), 100);
  for (const auto& n : json["output_lens"].GetArray())
    EXPECT_EQ(n.GetInt(), 7);
}

TEST(serve, several_workers_share_the_cap_and_the_work) {
  const folder where;
  simulator server({"--ttft", "2ms", "--itl", "0.2ms"});
  auto flags = sharegpt(server, where, "300");
  add(flags, {"--max-concurrency", "7", "--workers", "3"});
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = result_in(where);
  EXPECT_EQ(number(json, "completed"), 300);
  EXPECT_LE(json["inferbench"]["facts"]["peak_concurrency"]["requests"].GetInt(), 7);
  EXPECT_EQ(python("recompute.py", {where.only(".json")}), 0);
}

TEST(serve, workers_hold_more_streams_than_the_limit_of_open_files) {
  const folder where;
  simulator server({"--ttft", "2ms", "--itl", "0.2ms"});
  auto flags = sharegpt(server, where, "320");
  add(flags, {"--max-concurrency", "320", "--workers", "2"});
  // ThreadSanitizer takes equal numbers in different descriptor tables for the same descriptor and
  // reports accesses by its own interceptors.
  const char* before = std::getenv("TSAN_OPTIONS");
  const std::string options = before == nullptr ? "" : before;
  ::setenv("TSAN_OPTIONS", (options + " ignore_interceptors_accesses=1").c_str(), 1);
  const finished run = process(flags, 300).wait();
  if (before == nullptr)
    ::unsetenv("TSAN_OPTIONS");
  else
    ::setenv("TSAN_OPTIONS", options.c_str(), 1);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("info: the connections may need more than the limit of 300 open "
                                 "files: each of the 2 workers has a table of its own\n"));
  EXPECT_THAT(run.err, Not(HasSubstr("connections at once need")));
  EXPECT_THAT(run.err, Not(HasSubstr("not every connection")));
  const auto json = result_in(where);
  EXPECT_EQ(number(json, "completed"), 320);
  // All connections were open before the first request.
  const auto& client = json["inferbench"]["facts"]["client"];
  EXPECT_EQ(client["connections"][0]["opened_ahead"].GetInt(), 320);
  EXPECT_EQ(client["local_failures"].GetInt(), 0);
  EXPECT_EQ(python("recompute.py", {where.only(".json")}), 0);
}

TEST(serve, too_few_open_files_are_reported_with_the_sufficient_number_of_workers) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = process(sharegpt(server, where, "320"), 300).wait();
  EXPECT_THAT(run.err,
              HasSubstr("warning: 320 connections at once need more than the limit of 300 open "
                        "files: use --workers 2, raise it (ulimit -n), or lower "
                        "--max-concurrency\n"));
  EXPECT_THAT(run.err, Not(HasSubstr("table of its own")));
}

TEST(serve, a_sample_that_the_backend_cannot_send_is_reported_before_any_request) {
  const folder where;
  simulator server({"--ground-truth", where.path("truth.log")});
  const finished run = inferbench({"serve", "--backend", "vllm-rerank", "--base-url", server.url(),
                                   "--tokenizer-mode", "bytes", "--model", "m", "--num-prompts",
                                   "2", "--journal", "none", "--ready-check-timeout-sec", "5"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("the backend vllm-rerank cannot send what the dataset random "
                                 "yields: rerank takes a list of texts"));
  server.stop();
  EXPECT_EQ(read(where.path("truth.log")), "");
}

TEST(serve, a_result_that_cannot_be_written_is_said_before_any_request) {
  const folder where;
  simulator server({"--ground-truth", where.path("truth.log")});
  for (const std::string file : {"/no folder/r.json", ""}) {
    const finished run =
        inferbench({"serve", "--base-url", server.url(), "--tokenizer-mode", "bytes", "--model",
                    "m", "--num-prompts", "2", "--num-warmups", "2", "--save-result",
                    "--result-filename", where.path() + file});
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr(file.empty() ? "is a folder" : "there is no folder"));
  }
  server.stop();
  EXPECT_EQ(read(where.path("truth.log")), "");
}

TEST(serve, warms_up_checks_and_profiles_without_counting_it) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  auto flags = sharegpt(server, where, "10");
  add(flags, {"--num-warmups", "5", "--ready-check-timeout-sec", "10", "--profile",
              "--max-concurrency", "2"});
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(number(result_in(where), "completed"), 10);
  for (const char* line :
       {"Starting initial single prompt test run...\n",
        "Waiting for endpoint to become up in 10 seconds\n", "Initial test run completed.\n",
        "Warming up with 5 requests...\n", "Warmup run completed.\n",
        "Starting profiler...\nProfiler started\n", "Starting main benchmark run...\n",
        "Traffic request rate: inf\n", "Burstiness factor: 1.0 (Poisson process)\n",
        "Maximum request concurrency: 2\n", "Stopping profiler...\nProfiler stopped\n"})
    EXPECT_THAT(run.out, HasSubstr(line));
}

TEST(serve, the_profiler_is_stopped_when_the_run_cannot_begin) {
  const folder where;
  simulator server;
  auto flags = sharegpt(server, where, "10");
  const std::string journal = where.path("missing/x.journal");
  add(flags, {"--profile", "--journal", journal.c_str()});
  const finished run = inferbench(flags);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("cannot create the journal"));
  EXPECT_THAT(run.out, HasSubstr("Profiler started\n"));
  EXPECT_THAT(run.out, EndsWith("Stopping profiler...\nProfiler stopped\n"));
}

TEST(serve, in_several_processes_at_once_overwrites_no_file) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  auto flags = sharegpt(server, where, "5");
  add(flags, {"--plot-timeline"});
  std::vector<std::unique_ptr<process>> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(std::make_unique<process>(flags));
  std::set<std::string> names;
  for (const auto& one : all) {
    const finished end = one->wait();
    EXPECT_EQ(end.status, 0) << end.err;
    const auto of = [&](const std::string& what) {
      const auto at = end.out.find("Saved " + what + ": ") + what.size() + 8;
      return end.out.substr(at, end.out.find('\n', at) - at);
    };
    const std::string result = of("result");
    EXPECT_EQ(of("timeline"), replaced(result, ".json", ".timeline.html"));
    const std::string run = std::filesystem::path(of("journal")).stem();
    EXPECT_THAT(read(result), HasSubstr("\"run\": \"" + run + "\""));
    names.insert(result);
  }
  EXPECT_EQ(names.size(), 5U);
  const auto files = std::filesystem::directory_iterator(where.root);
  EXPECT_EQ(std::distance(begin(files), end(files)), 15);
}

}  // namespace
}  // namespace inferbench::testing
