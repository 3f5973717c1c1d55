// Complete runs against the simulator. Programs that share no code with the framework check them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

int python(const std::string& tool, const std::vector<std::string>& arguments) {
  std::string command = "python3 '" INFERBENCH_SOURCE "/tests/tools/" + tool + "'";
  for (const std::string& word : arguments)
    command += " '" + word + "'";
  return std::system(command.c_str());
}

rapidjson::Document result_in(const folder& where) {
  const std::string path = where.only(".json");
  return base::parse_json(read(path), path);
}

std::int64_t number(const rapidjson::Document& json, const char* key) {
  return json[key].GetInt64();
}

std::vector<std::string> sharegpt(const simulator& server, const folder& where,
                                  const std::string& count) {
  return {"serve",
          "--backend",
          "vllm",
          "--base-url",
          server.url(),
          "--tokenizer-mode",
          "bytes",
          "--dataset-name",
          "sharegpt",
          "--dataset-path",
          fixture("datasets/sharegpt.json"),
          "--num-prompts",
          count,
          "--request-id-prefix",
          "r-",
          "--ignore-eos",
          "--save-result",
          "--save-detailed",
          "--result-dir",
          where.path()};
}

void add(std::vector<std::string>& to, std::initializer_list<const char*> more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Waits until the journal shows that requests have finished.
void wait_for_records(process& run, const std::string& journal) {
  while (run.running() && read(journal).size() < 20'000)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

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

TEST(serve, a_server_that_dies_loses_no_request_from_the_accounts) {
  const folder where;
  simulator server({"--ttft", "20ms", "--itl", "5ms"});
  auto flags = sharegpt(server, where, "400");
  const std::string journal = where.path("run.journal");
  add(flags, {"--request-rate", "400", "--max-concurrency", "32", "--journal", journal.c_str()});
  process run(flags);
  wait_for_records(run, journal);
  server.kill();
  const finished end = run.wait();
  EXPECT_EQ(end.status, 0) << end.err;
  const auto json = result_in(where);
  EXPECT_GT(number(json, "completed"), 0);
  EXPECT_GT(number(json, "failed"), 0);
  EXPECT_EQ(number(json, "completed") + number(json, "failed"), 400);
  EXPECT_EQ(json["inferbench"]["facts"]["accounting"]["never_sent"].GetInt(), 0);
  for (const auto& error : json["errors"].GetArray()) {
    const std::string text(base::text_of(&error));
    if (text.empty()) continue;
    EXPECT_THAT(text, ::testing::AnyOf(HasSubstr("cannot connect"), HasSubstr("onnection")));
  }
  EXPECT_EQ(python("recompute.py", {where.only(".json")}), 0);
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

class stopped : public ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(by, stopped, ::testing::Values(SIGINT, SIGHUP));

TEST_P(stopped, a_run_reports_its_results_so_far) {
  const folder where;
  simulator server({"--ttft", "5ms", "--itl", "1ms"});
  auto flags = sharegpt(server, where, "100000");
  const std::string journal = where.path("run.journal");
  add(flags, {"--request-rate", "300", "--max-concurrency", "64", "--journal", journal.c_str()});
  process run(flags);
  wait_for_records(run, journal);
  run.signal(GetParam());
  const finished end = run.wait();
  EXPECT_EQ(end.status, 1) << end.err;
  const auto json = result_in(where);
  const auto& accounting = json["inferbench"]["facts"]["accounting"];
  EXPECT_EQ(accounting["planned"].GetInt(), 100000);
  EXPECT_EQ(accounting["planned"].GetInt(),
            accounting["sent"].GetInt() + accounting["never_sent"].GetInt());
  EXPECT_GT(accounting["never_sent"].GetInt(), 0);
  EXPECT_GT(number(json, "completed"), 0);
}

/// Waits until the run has printed `text`.
void wait_for_text(process& run, const std::string& text) {
  while (run.running() && run.out_so_far().find(text) == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(serve, goes_on_under_nohup_when_its_terminal_is_gone) {
  const folder where;
  simulator server({"--ttft", "5ms", "--itl", "1ms"});
  auto flags = sharegpt(server, where, "600");
  add(flags, {"--request-rate", "300"});
  process run(flags, 0, {"nohup"});
  wait_for_text(run, "Burstiness factor");
  run.signal(SIGHUP);
  const finished end = run.wait();
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_EQ(number(result_in(where), "completed"), 600);
}

TEST(serve, a_signal_during_set_up_ends_it_at_once) {
  const folder where;
  simulator server;
  auto flags = sharegpt(server, where, "10");
  // A named pipe without a writer: the dataset never arrives.
  const std::string pipe = where.path("dataset.json");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  flags[10] = pipe;
  process run(flags);
  wait_for_text(run, "First model name");
  run.signal(SIGINT);
  EXPECT_EQ(run.wait().status, 128 + SIGINT);
}

TEST(serve, a_signal_during_the_ready_check_stops_before_the_measurement) {
  const folder where;
  simulator server({"--ttft", "60s"});
  auto flags = sharegpt(server, where, "10");
  add(flags, {"--ready-check-timeout-sec", "50"});
  process run(flags);
  wait_for_text(run, "Waiting for endpoint");
  run.signal(SIGTERM);
  const finished end = run.wait();
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.err, EndsWith("\ninferbench: stopped before the measurement began\n"));
}

TEST(serve, a_second_signal_ends_a_run_that_hangs) {
  const folder where;
  simulator server;
  auto flags = sharegpt(server, where, "10");
  // The pipe has no reader, so opening it blocks for ever.
  const std::string pipe = where.path("pipe.journal");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  add(flags, {"--journal", pipe.c_str()});
  // If the first signal comes before the run blocks, it stops the run in an orderly way: status 1.
  int status = 1;
  for (int attempt = 0; status == 1 && attempt < 50; ++attempt) {
    process run(flags);
    wait_for_text(run, "Skipping endpoint ready check.");
    std::this_thread::sleep_for(std::chrono::milliseconds(2 * attempt));
    while (run.running()) {
      run.signal(SIGINT);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    status = run.wait().status;
  }
  EXPECT_EQ(status, 128 + SIGINT);
}

TEST(serve, a_journal_yields_the_same_result_again) {
  const folder where;
  const folder again;
  simulator server({"--ttft", "2ms", "--itl", "0.5ms"});
  auto flags = sharegpt(server, where, "60");
  add(flags, {"--max-concurrency", "8"});
  ASSERT_EQ(inferbench(flags).status, 0);
  const finished report = inferbench({"report", where.only(".journal"), "--reporter", "json",
                                      "--save-detailed", "--result-dir", again.path()});
  ASSERT_EQ(report.status, 0) << report.err;
  const auto first = result_in(where);
  const auto second = result_in(again);
  EXPECT_EQ(second.MemberCount(), first.MemberCount());
  for (const auto& member : first.GetObject()) {
    const std::string key = member.name.GetString();
    if (key == "date") continue;
    EXPECT_EQ(base::to_text(second[key]), base::to_text(member.value)) << key;
  }
}

/// The fact "series" of the only result in `where`.
std::string series_in(const folder& where) {
  const auto json = result_in(where);
  const auto* ours = base::find(json, "inferbench");
  const auto* found = base::find(base::find(ours, "facts"), "series");
  if (found == nullptr) found = base::find(ours, "series");
  return found == nullptr ? std::string() : base::to_text(*found);
}

TEST(serve, observes_the_server_and_another_page_and_a_journal_gives_the_same_series) {
  const folder where;
  const folder again;
  simulator server({"--ttft", "2ms", "--itl", "2ms"});
  simulator other;
  auto flags = sharegpt(server, where, "40");
  add(flags, {"--max-concurrency", "4", "--observe-interval", "100ms", "--observe-names",
              "inferbench_simulator_conn*", "--observe"});
  flags.push_back(other.url());
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Observed vllm " + server.url().substr(7) + ":"));
  const std::string series = series_in(where);
  const auto fact = base::parse_json(series, "the fact");
  EXPECT_EQ(fact["interval_s"].GetDouble(), 0.1);
  ASSERT_EQ(fact["sources"].Size(), 2U);
  const auto& first = fact["sources"][0];
  EXPECT_EQ(first["url"].GetString(), server.url() + "/metrics");
  EXPECT_EQ(fact["sources"][1]["url"].GetString(), other.url() + "/metrics");
  EXPECT_STREQ(first["server"].GetString(), "vllm");
  EXPECT_EQ(first["failed"].GetInt(), 0);
  EXPECT_GE(first["scrapes"].GetInt(), 2);
  EXPECT_EQ(first["at_s"].Size(), first["scrapes"].GetUint());
  std::set<std::string> names;
  double most_running = 0;
  double generated = 0;
  for (const auto& one : first["series"].GetArray()) {
    names.insert(one["name"].GetString());
    EXPECT_EQ(one["values"].Size(), first["at_s"].Size());
    if (one["name"] == "running")
      for (const auto& value : one["values"].GetArray())
        if (value.IsNumber()) most_running = std::max(most_running, value.GetDouble());
    if (one["name"] == "generation_tokens") generated = one["total"].GetDouble();
  }
  EXPECT_LE(most_running, 4);
  EXPECT_GT(generated, 0);
  EXPECT_TRUE(names.contains("waiting") && names.contains("prefix_hit_rate"));
  EXPECT_TRUE(names.contains("inferbench_simulator_connections_total"));

  const finished report = inferbench({"report", where.only(".journal"), "--reporter", "json",
                                      "--save-detailed", "--result-dir", again.path()});
  ASSERT_EQ(report.status, 0) << report.err;
  EXPECT_EQ(series_in(again), series);
}

TEST(serve, nothing_is_observed_without_the_flag_and_a_page_that_is_gone_is_a_warning) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  ASSERT_EQ(inferbench(sharegpt(server, where, "4")).status, 0);
  EXPECT_EQ(series_in(where), "");
  const folder again;
  auto flags = sharegpt(server, again, "4");
  add(flags, {"--observe", "http://127.0.0.1:1/metrics"});
  const finished run = inferbench(flags);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err,
              HasSubstr("readings of http://127.0.0.1:1/metrics succeeded: no connection"));
  EXPECT_THAT(run.out, HasSubstr("Observed 127.0.0.1:1:"));
}

TEST(serve, an_observed_run_that_is_stopped_ends_at_once) {
  const folder where;
  simulator server({"--ttft", "20s"});
  auto flags = sharegpt(server, where, "4");
  add(flags, {"--observe", "--observe-interval", "100ms"});
  const std::string journal = where.path("run.journal");
  add(flags, {"--journal"});
  flags.push_back(journal);
  process run(flags);
  // Observations fill the journal although no request has finished.
  while (run.running() && read(journal).find("vllm:num_requests_running") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  run.signal(SIGINT);
  const finished done = run.wait();
  EXPECT_THAT(done.out, HasSubstr("Observed vllm"));
}

TEST(serve, a_goal_that_is_not_met_sets_the_exit_status_and_is_judged_again_from_the_journal) {
  const folder where;
  simulator server({"--ttft", "2ms", "--itl", "0.5ms"});
  auto flags = sharegpt(server, where, "60");
  add(flags, {"--max-concurrency", "8", "--threshold", "ttft.p99<3600s", "failed<=1%"});
  const finished met = inferbench(flags);
  ASSERT_EQ(met.status, 0) << met.err;
  EXPECT_THAT(met.out, HasSubstr("\nGoal ttft.p99<3600000ms:"));
  const auto json = result_in(where);
  ASSERT_EQ(json["inferbench"]["thresholds"].Size(), 2U);
  EXPECT_TRUE(json["inferbench"]["thresholds"][0]["passed"].GetBool());
  EXPECT_FALSE(json["inferbench"]["thresholds"][0]["certain"].GetBool());

  const auto judged = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"report", where.only(".journal")});
    return inferbench(more);
  };
  EXPECT_EQ(judged({}).status, 0);
  EXPECT_EQ(judged({"--threshold-certain"}).status, 4);  // 60 requests prove no P99
  EXPECT_EQ(judged({"--threshold", "completed>=60", "p50_ttft_ms>0"}).status, 0);
  const finished missed = judged({"--threshold", "mean_ttft_ms<0.001"});
  EXPECT_EQ(missed.status, 4) << missed.err;
  EXPECT_THAT(missed.out, HasSubstr("\nGoal ttft.mean<0.001ms:"));
  EXPECT_THAT(missed.out, Not(HasSubstr("ttft.p99<")));
  EXPECT_EQ(judged({"--threshold", "ttft<1"}).status, 2);
}

TEST(serve, a_truncated_journal_gives_its_complete_records) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  ASSERT_EQ(inferbench(sharegpt(server, where, "50")).status, 0);
  const std::string journal = read(where.only(".journal"));
  // One of two neighbouring places is not the end of a frame.
  const auto cut_at = [&](std::size_t size) {
    return inferbench({"report", where.write("torn.journal", journal.substr(0, size))});
  };
  finished report = cut_at(journal.size() * 2 / 3);
  if (report.err.find("bytes dropped") == std::string::npos)
    report = cut_at(journal.size() * 2 / 3 + 1);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("Successful requests:"));
  EXPECT_THAT(report.err, HasSubstr("bytes dropped"));
  EXPECT_THAT(report.err, HasSubstr("did not come to its end"));
}

TEST(serve, a_torn_journal_says_how_far_off_the_latencies_may_be_and_gives_no_verdict) {
  const folder where;
  const folder again;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  ASSERT_EQ(inferbench(sharegpt(server, where, "50")).status, 0);
  const std::string journal = read(where.only(".journal"));
  const std::string torn = where.write("torn.journal", journal.substr(0, journal.size() * 2 / 3));
  const finished report =
      inferbench({"report", torn, "--reporter", "json", "--result-dir", again.path()});
  ASSERT_EQ(report.status, 0) << report.err;
  const auto json = result_in(again);
  const auto& facts = json["inferbench"]["facts"];
  ASSERT_TRUE(facts.HasMember("client"));
  const auto& client = facts["client"];
  EXPECT_TRUE(client["error_bound_ms"].HasMember("ttft"));
  EXPECT_TRUE(client.HasMember("answers_without_bound"));
  EXPECT_FALSE(client.HasMember("verdict"));
}

TEST(serve, a_journal_with_one_flipped_byte_loses_one_request_and_says_so) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  ASSERT_EQ(inferbench(sharegpt(server, where, "50")).status, 0);
  std::string journal = read(where.only(".journal"));
  char& byte = journal[journal.size() * 2 / 3];
  byte = static_cast<char>(byte ^ 1);
  const std::string flipped = where.write("flipped.journal", journal);
  const folder again;
  const finished report =
      inferbench({"report", flipped, "--reporter", "json", "--result-dir", again.path()});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.err, HasSubstr("; 49 records read, "));
  EXPECT_THAT(report.err, Not(HasSubstr("did not come to its end")));
  const auto json = result_in(again);
  EXPECT_EQ(number(json, "completed"), 49);
  const auto& facts = json["inferbench"]["facts"];
  EXPECT_EQ(facts["accounting"]["planned"].GetInt(), 50);
  EXPECT_EQ(facts["accounting"]["not_recorded"].GetInt(), 1);
  EXPECT_EQ(facts["journal_damage"]["places"].GetInt(), 1);
  EXPECT_EQ(facts["journal_damage"]["records_read"].GetInt(), 49);
}

TEST(run, makes_the_same_plan_from_a_file_as_serve_from_flags) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  auto flags = sharegpt(server, where, "25");
  add(flags, {"--max-concurrency", "4", "--print-config"});
  const finished printed = inferbench(flags);
  ASSERT_EQ(printed.status, 0) << printed.err;
  const std::string file = where.write("job.toml", printed.out);
  const finished run = inferbench({"run", file});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = result_in(where);
  EXPECT_EQ(number(json, "completed"), 25);
  EXPECT_EQ(json["max_concurrency"].GetInt(), 4);
  // The printed files differ only in the places of the values.
  const finished again = inferbench({"run", file, "--print-config"});
  EXPECT_EQ(without_places(again.out), without_places(printed.out));
  EXPECT_NE(printed.out.find("max-concurrency = 4  # --max-concurrency\n"), std::string::npos);
  EXPECT_NE(again.out.find("  # " + file + ":"), std::string::npos);
}

TEST(run, lays_files_one_over_the_other) {
  const folder where;
  const std::string base = where.write("base.toml", R"([backend]
use = "openai"
[load]
request-rate = 5.0
max-concurrency = 4
[[reporter]]
use = "console"
)");
  const std::string team = where.write("team.toml", R"([load]
request-rate = 7.0
[[reporter]]
extend = true
use = "json"
)");
  const finished both = inferbench({"run", base, team, "--set", "run.seed=3", "--print-config"});
  ASSERT_EQ(both.status, 0) << both.err;
  for (const std::string& line : std::vector<std::string>{
           "request-rate = 7.0  # " + team + ":2\n", "max-concurrency = 4  # " + base + ":5\n",
           "seed = 3  # --set run.seed\n", "use = \"console\"  # " + base + ":7\n",
           "use = \"json\"  # " + team + ":5\n"})
    EXPECT_NE(both.out.find(line), std::string::npos) << line << both.out;
}

TEST(run, takes_overrides_and_several_reporters) {
  const folder where;
  const folder other;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const std::string file = where.write("job.toml", R"([server]
base-url = ")" + server.url() + R"("

[backend]
use = "openai-chat"

[tokenizer]
use = "bytes"

[dataset]
use = "random"
num-prompts = 5
input-len = 20
output-len = 3

[[reporter]]
use = "json"
result-dir = ")" + where.path() + R"("

[[reporter]]
use = "json"
result-dir = ")" + other.path() + R"("
)");
  const finished run = inferbench({"run", file, "--set", "dataset.num-prompts=9"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(number(result_in(where), "completed"), 9);
  EXPECT_EQ(number(result_in(other), "completed"), 9);
  EXPECT_THAT(run.out, Not(HasSubstr("Serving Benchmark Result")));
}

}  // namespace
}  // namespace inferbench::testing
