// Runs against the simulator that signals stop, and a run whose server dies.
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "program/cli/serve_runs.hpp"

namespace inferbench::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

/// Waits until the journal shows that requests have finished.
void wait_for_records(process& run, const std::string& journal) {
  while (run.running() && read(journal).size() < 20'000)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
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

}  // namespace
}  // namespace inferbench::testing
