// Runs that end at a time (--duration): whole runs against the simulator. No test compares the time
// that a run takes.
#include <initializer_list>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "program/cli/serve_runs.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> serve(const simulator& server, const folder& where,
                               std::initializer_list<std::string> more) {
  std::vector<std::string> out{"serve",
                               "--base-url",
                               server.url(),
                               "--model",
                               "m",
                               "--tokenizer-mode",
                               "bytes",
                               "--temperature",
                               "0",
                               "--save-result",
                               "--result-dir",
                               where.path(),
                               "--random-input-len",
                               "20",
                               "--random-output-len",
                               "2"};
  out.insert(out.end(), more);
  return out;
}

struct accounts {
  std::int64_t planned, sent, never_sent, failed;
};
accounts accounts_of(const rapidjson::Document& result) {
  const auto& found = result["inferbench"]["facts"]["accounting"];
  return {found["planned"].GetInt64(), found["sent"].GetInt64(), found["never_sent"].GetInt64(),
          found["failed"].GetInt64()};
}

TEST(duration, a_rate_has_as_many_requests_as_are_due_before_the_end) {
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  const finished run = inferbench(serve(
      server, where,
      {"--duration", "310ms", "--request-rate", "50", "--burstiness", "inf", "--workers", "2"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nRequests are sent for 310ms.\n"));
  const auto result = result_in(where);
  EXPECT_EQ(result["num_prompts"].GetInt64(), -1) << "no number was given";
  const accounts all = accounts_of(result);
  EXPECT_EQ(all.planned, 15) << "due after 20, 40, ... 300 ms";
  EXPECT_EQ(all.sent + all.never_sent, all.planned);
  EXPECT_GT(all.sent, 0);
  EXPECT_EQ(all.failed, 0);
}

TEST(duration, a_limit_of_concurrency_is_kept_busy_until_the_end) {
  const folder where;
  const simulator server({"--ttft", "1ms", "--itl", "0ms"});
  const finished run =
      inferbench(serve(server, where, {"--duration", "200ms", "--max-concurrency", "2"}));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto result = result_in(where);
  const accounts all = accounts_of(result);
  EXPECT_GT(all.sent, 0);
  EXPECT_EQ(all.never_sent, 0) << "no more were planned than were sent";
  EXPECT_EQ(result["completed"].GetInt64(), all.sent) << "requests in flight were finished";
}

TEST(duration, a_pattern_over_time_ends_with_it) {
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  const finished run = inferbench(serve(
      server, where,
      {"--duration", "250ms", "--traffic", "steps:0s=100,100ms=0,1h=1", "--burstiness", "inf"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(accounts_of(result_in(where)).planned, 10);
}

TEST(duration, a_number_is_an_upper_limit) {
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  const finished run = inferbench(
      serve(server, where, {"--duration", "1h", "--num-prompts", "7", "--request-rate", "1000"}));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto result = result_in(where);
  EXPECT_EQ(result["num_prompts"].GetInt64(), 7);
  EXPECT_EQ(result["completed"].GetInt64(), 7);
  EXPECT_EQ(accounts_of(result).never_sent, 0);
  EXPECT_THAT(run.err, Not(HasSubstr("of --duration"))) << "the user gave the number";
}

TEST(duration, rows_of_a_file_are_repeated) {
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  const finished run = inferbench(serve(
      server, where,
      {"--duration", "300ms", "--request-rate", "200", "--burstiness", "inf", "--dataset-name",
       "custom", "--dataset-path", fixture("datasets/custom.jsonl"), "--skip-chat-template"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(accounts_of(result_in(where)).planned, 59);
  EXPECT_THAT(run.err, HasSubstr("they are repeated until the end of the run"));
}

TEST(duration, rows_that_are_not_repeated_may_end_before_it) {
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  const finished run = inferbench(
      serve(server, where,
            {"--duration", "1h", "--no-oversample", "--dataset-name", "custom", "--dataset-path",
             fixture("datasets/custom.jsonl"), "--skip-chat-template"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the requests of dataset custom ended after "));
  EXPECT_THAT(run.err, HasSubstr(" s, before the 3600s of --duration"));
}

TEST(duration, a_trace_stops_in_the_middle) {
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  // The first request is due at once, the next after 102.7 s.
  const finished run =
      inferbench(serve(server, where,
                       {"--duration", "60s", "--dataset-name", "timed_trace", "--dataset-path",
                        fixture("datasets/mooncake_trace.jsonl"), "--timed-trace-sec-multiplier",
                        "0.1", "--timed-trace-chunk-hash-size", "512"}));
  ASSERT_EQ(run.status, 0) << run.err;
  const accounts all = accounts_of(result_in(where));
  EXPECT_EQ(all.planned, 1);
  EXPECT_EQ(all.sent, 1);
}

TEST(duration, conversations_begin_until_the_end) {
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  const finished run = inferbench(serve(
      server, where,
      {"--backend", "openai-chat", "--endpoint", "/v1/chat/completions", "--duration", "200ms",
       "--max-concurrency", "2", "--dataset-name", "sharegpt", "--sharegpt-multi-turn",
       "--dataset-path", fixture("datasets/sharegpt_multi_turn.json")}));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto result = result_in(where);
  EXPECT_GT(result["inferbench"]["facts"]["conversations"]["begun"].GetInt64(), 0);
  EXPECT_EQ(accounts_of(result).failed, 0);
}

TEST(duration, the_report_of_the_journal_has_the_same_accounts) {
  const folder where;
  const simulator server({"--ttft", "20ms", "--itl", "0ms"});
  // One request at a time cannot keep up, so that some are never sent.
  const finished run = inferbench(serve(server, where,
                                        {"--duration", "300ms", "--request-rate", "200",
                                         "--burstiness", "inf", "--max-concurrency", "1"}));
  ASSERT_EQ(run.status, 0) << run.err;
  const accounts measured = accounts_of(result_in(where));
  EXPECT_EQ(measured.planned, 59);
  EXPECT_GT(measured.never_sent, 0);
  const folder again;
  const finished report = inferbench(
      {"report", where.only(".journal"), "--reporter", "json", "--result-dir", again.path()});
  ASSERT_EQ(report.status, 0) << report.err;
  const accounts reported = accounts_of(result_in(again));
  EXPECT_EQ(reported.planned, measured.planned);
  EXPECT_EQ(reported.never_sent, measured.never_sent);
}

TEST(duration, in_which_no_request_is_due_is_refused) {
  const folder where;
  const simulator server;
  const finished run = inferbench(
      serve(server, where, {"--duration", "1s", "--request-rate", "0.1", "--burstiness", "inf"}));
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("--duration: no request is due within 1s: the first is due after "
                                 "10s; give a longer time or a higher rate"));
}

TEST(duration, each_synthetic_dataset_makes_any_number_of_requests) {
  struct data {
    const char* name;
    const char* backend;
    const char* endpoint;
    std::vector<std::string> flags;
  };
  const data all[] = {
      {"random", "vllm", "/v1/completions", {"--prompt-token-ids"}},
      {"random-rerank", "vllm-rerank", "/v1/rerank", {"--random-batch-size", "2"}},
      {"prefix_repetition", "vllm", "/v1/completions", {"--prefix-repetition-num-prefixes", "2"}},
      {"sonnet",
       "openai-chat",
       "/v1/chat/completions",
       {"--skip-chat-template", "--sonnet-input-len", "600"}},
      {"txt-slices",
       "vllm",
       "/v1/completions",
       {"--dataset-path", fixture("datasets/conversations_text.txt"), "--txt-slices-input-len",
        "25"}}};
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  for (const data& one : all) {
    const folder where;
    std::vector<std::string> flags =
        serve(server, where,
              {"--backend", one.backend, "--endpoint", one.endpoint, "--dataset-name", one.name,
               "--duration", "150ms", "--request-rate", "100", "--burstiness", "inf"});
    if (std::string(one.name).starts_with("random"))
      flags.insert(flags.end(), {"--random-input-len", "40"});
    flags.insert(flags.end(), one.flags.begin(), one.flags.end());
    const finished run = inferbench(flags);
    ASSERT_EQ(run.status, 0) << one.name << ": " << run.err;
    const accounts found = accounts_of(result_in(where));
    EXPECT_EQ(found.planned, 14) << one.name;
    EXPECT_EQ(found.failed, 0) << one.name;
  }
}

}  // namespace
}  // namespace inferbench::testing
