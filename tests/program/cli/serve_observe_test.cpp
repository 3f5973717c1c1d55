// Runs that observe the pages of servers with --observe.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "program/cli/serve_runs.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace inferbench::testing
