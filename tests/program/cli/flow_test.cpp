// The steps of `serve` before, during and after its requests: whole runs against the simulator.
#include <algorithm>
#include <csignal>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "framework/services/answering_server.hpp"
#include "program/cli/process.hpp"
#include "records/journal_reader.hpp"

namespace inferbench::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

rapidjson::Document parsed(const std::string& path) { return base::parse_json(read(path), path); }

/// Flags for `count` random prompts, with the result saved in `where`.
std::vector<std::string> serve(const std::string& url, const folder& where,
                               const std::string& count,
                               std::initializer_list<const char*> more = {}) {
  std::vector<std::string> out{"serve",
                               "--base-url",
                               url,
                               "--model",
                               "m",
                               "--tokenizer-mode",
                               "bytes",
                               "--temperature",
                               "0",
                               "--num-prompts",
                               count,
                               "--random-input-len",
                               "40",
                               "--random-output-len",
                               "4",
                               "--save-result",
                               "--save-detailed",
                               "--result-dir",
                               where.path()};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

double number(const base::json_value& in, const char* key) {
  const auto* found = base::find(in, key);
  EXPECT_TRUE(found != nullptr && found->IsNumber()) << key;
  return found != nullptr && found->IsNumber() ? found->GetDouble() : -1;
}

TEST(flow, a_ramp_sends_faster_and_faster_and_keeps_its_log) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(serve(server.url(), where, "60",
                                        {"--ramp-up-strategy", "linear", "--ramp-up-start-rps",
                                         "20", "--ramp-up-end-rps", "400", "--burstiness", "inf"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Starting main benchmark run...\n"
                                 "Traffic ramp-up strategy: linear.\n"
                                 "Will increase RPS from 20 to 400 RPS over the duration of the "
                                 "benchmark.\n"
                                 "Burstiness factor: inf (Gamma distribution)\n"
                                 "Maximum request concurrency: None\n"));
  const auto json = parsed(where.only(".json"));
  EXPECT_EQ(number(json, "completed"), 60);
  std::vector<std::uint64_t> due;
  records::journal_reader journal(where.only(".journal"));
  for (client::record r; journal.next(r);)
    due.push_back(r.due_ns);
  ASSERT_EQ(due.size(), 60U);
  std::ranges::sort(due);
  EXPECT_GT(due[1] - due[0], 3 * (due[59] - due[58]));
  const auto* events = base::find(json, "rps_change_events");
  ASSERT_NE(events, nullptr);
  ASSERT_EQ(events->Size(), 381U);
  for (unsigned i = 0; i < events->Size(); ++i)
    EXPECT_EQ((*events)[i]["rps"].GetUint(), 20 + i);
  EXPECT_THAT((*events)[7]["timestamp"].GetString(),
              MatchesRegex("[0-9-]{10}T[0-9:]{8}[.][0-9]{6}"));
}

TEST(flow, self_timed_needs_a_dataset_that_has_times) {
  const folder where;
  simulator server;
  for (const char* flag : {"--self-timed", "--no-self-timed"}) {
    const finished run = inferbench(serve(server.url(), where, "3", {flag}));
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr(flag));
  }
}

TEST(flow, a_trace_played_back_reports_an_infinite_rate_in_result_file_name_and_console) {
  const folder where;
  simulator server({"--ttft", "0", "--itl", "0"});
  const finished run = inferbench({"serve",
                                   "--base-url",
                                   server.url(),
                                   "--model",
                                   "m",
                                   "--tokenizer-mode",
                                   "bytes",
                                   "--dataset-name",
                                   "timed_trace",
                                   "--dataset-path",
                                   fixture("datasets/mooncake_trace.jsonl"),
                                   "--timed-trace-sec-multiplier",
                                   "0.000001",
                                   "--timed-trace-chunk-hash-size",
                                   "512",
                                   "--num-prompts",
                                   "3",
                                   "--max-concurrency",
                                   "2",
                                   "--traffic",
                                   "steps:0s=1",
                                   "--save-result",
                                   "--result-dir",
                                   where.path()});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err,
              HasSubstr("--traffic has no effect: the dataset timed_trace has times of its "
                        "own; --no-self-timed ignores these times\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("Traffic pattern")));
  EXPECT_THAT(run.out, Not(HasSubstr("Request rate configured")));
  EXPECT_THAT(run.out, Not(HasSubstr("Steady state")));
  const std::string file = where.only(".json");
  EXPECT_THAT(file, HasSubstr("/openai-infqps-concurrency2-m-"));
  const auto json = parsed(file);
  EXPECT_EQ(base::text_of(base::find(json, "request_rate")), "inf");
  // The report from the journal is the same.
  const finished again = inferbench({"report", where.only(".journal")});
  EXPECT_THAT(again.out, Not(HasSubstr("Request rate configured")));
  EXPECT_THAT(again.out, Not(HasSubstr("Steady state")));
}

constexpr const char* one_token =
    "data: {\"choices\": [{\"index\": 0, \"text\": \"x\"}]}\n\n"
    "data: {\"choices\": [], \"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 1}}\n\n"
    "data: [DONE]\n\n";

services::testing::answered completion() { return {200, one_token, "text/event-stream"}; }

/// The value of member `key` in each completion request that the server got, in order.
std::vector<std::string> members(const services::testing::answering_server& server,
                                 const char* key) {
  std::vector<std::string> out;
  for (const services::testing::asked& one : server.seen())
    if (one.line == "POST /v1/completions")
      out.emplace_back(base::text_of(base::find(base::parse_json(one.body, "body"), key)));
  return out;
}

TEST(flow, adapters_are_named_by_requests_and_not_by_the_warm_up) {
  const folder where;
  const services::testing::answering_server server(
      [](const services::testing::asked&) { return completion(); });
  auto flags = serve(server.url(), where, "5",
                     {"--lora-modules", "a", "b", "--lora-assignment", "round-robin",
                      "--num-warmups", "2", "--max-concurrency", "1"});
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(members(server, "model"), ElementsAre("m", "m", "a", "b", "a", "b", "a"));
  // Each record keeps the name of its adapter.
  records::journal_reader journal(where.only(".journal"));
  std::vector<std::string> kept;
  for (client::record r; journal.next(r);)
    for (const auto& [name, value] : r.attributes)
      if (name == "lora") kept.push_back(value);
  EXPECT_THAT(kept, ElementsAre("a", "b", "a", "b", "a"));
}

/// A server that counts two tokens for each byte.
services::testing::answered half_byte_tokens(const services::testing::asked& request) {
  const auto body = base::parse_json(request.body.empty() ? "{}" : request.body, "body");
  std::string out;
  if (request.line == "POST /tokenize") {
    for (const char c : base::text_of(base::find(body, "prompt")))
      for (int half = 0; half < 2; ++half)
        out += (out.empty() ? "" : ",") + std::to_string(static_cast<int>(c));
    return {200, "{\"tokens\": [" + out + "]}"};
  }
  if (request.line == "POST /detokenize") {
    const auto& ids = *base::find(body, "tokens");
    for (unsigned i = 0; i < ids.Size(); i += 2)
      out += static_cast<char>(ids[i].GetUint());
    ifb::json_writer answer;
    answer.begin_object();
    answer.member("prompt", out);
    answer.end_object();
    return {200, answer.take()};
  }
  return request.line == "POST /v1/completions" ? completion() : services::testing::answered{404};
}

TEST(flow, synthetic_prompts_have_their_length_by_the_server_s_count) {
  const folder where;
  const services::testing::answering_server server(half_byte_tokens);
  auto flags =
      serve(server.url(), where, "70",
            {"--num-warmups", "1", "--served-model-name", "served", "--header", "X-Tenant=t"});
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the server counts 80 tokens in the first prompt, the client 40: "
                                 "prompts that are too long by the server's count are cut to "
                                 "their requested length\n"));
  const auto prompts = members(server, "prompt");
  ASSERT_EQ(prompts.size(), 71U);
  for (const std::string& prompt : prompts)
    EXPECT_EQ(prompt.size(), 20U);
  const auto asked_about = server.seen();
  const auto first =
      std::ranges::find(asked_about, "POST /tokenize", &services::testing::asked::line);
  ASSERT_NE(first, asked_about.end());
  EXPECT_EQ(std::ranges::count(asked_about, first->body, &services::testing::asked::body), 1)
      << "of the first prompt the server is asked once, also for the warm-up";
  for (const services::testing::asked& one : asked_about)
    if (one.line == "POST /tokenize" || one.line == "POST /detokenize") {
      EXPECT_THAT(one.body, HasSubstr("{\"model\": \"served\", "));
      EXPECT_THAT(one.head, HasSubstr("X-Tenant: t\r\n"));
    }
}

TEST(flow, a_server_that_cannot_count_is_named_with_its_answer) {
  const services::testing::answering_server server([](const services::testing::asked& request) {
    return request.line == "POST /tokenize" ? services::testing::answered{404, "{}"} : completion();
  });
  const std::vector<std::string> flags{"--base-url",       server.url(),
                                       "--model",          "m",
                                       "--tokenizer-mode", "server",
                                       "--dataset-name",   "sharegpt",
                                       "--dataset-path",   fixture("datasets/sharegpt.json"),
                                       "--num-prompts",    "2"};
  const std::vector<std::string> commands[] = {{"serve"}, {"dataset", "show"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), flags.begin(), flags.end());
    const finished run = inferbench(words);
    EXPECT_NE(run.status, 0);
    EXPECT_THAT(run.err, HasSubstr("dataset sharegpt"));
    EXPECT_THAT(run.err, HasSubstr(": the server answers /tokenize with HTTP 404; "
                                   "name the model's own tokenizer with --tokenizer, or choose "
                                   "another one with --tokenizer-mode, such as bytes\n"));
  }
}

TEST(flow, probes_run_beside_the_traffic_and_are_in_none_of_its_figures) {
  const folder where;
  simulator server({"--ttft", "10ms", "--itl", "5ms"});
  const finished run = inferbench(
      serve(server.url(), where, "20",
            {"--max-concurrency", "2", "--probe-request-rate", "100", "--request-rate", "inf"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Maximum request concurrency: 2\nProbe request rate: 100.0 "
                                 "req/s\n"));
  const auto json = parsed(where.only(".json"));
  EXPECT_EQ(number(json, "completed"), 20);
  EXPECT_EQ(json["errors"].Size(), 20U);
  EXPECT_GE(number(json, "probe_completed"), 2);
  EXPECT_EQ(number(json, "probe_failed"), 0);
  // A probe has one token: its latency is the time to the first token and the client's own time.
  EXPECT_GE(number(json, "probe_median_e2el_ms"), 10);
  EXPECT_GE(number(json, "probe_max_e2el_ms"), number(json, "probe_p99_e2el_ms"));
  EXPECT_LE(json["inferbench"]["facts"]["peak_concurrency"]["requests"].GetInt(), 2);
  // The journal has the probe metrics, too, but no records of probes.
  const finished again = inferbench({"report", where.only(".journal")});
  EXPECT_THAT(again.out, HasSubstr("Successful requests:                     20 "));
  EXPECT_THAT(again.out, HasSubstr("Probe requests completed:"));
}

TEST(flow, probes_that_all_fail_leave_a_warning_and_no_figures) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0", "--max-model-len", "50"});
  // A prompt of two bytes fits; the extra body asks for more than the context length.
  const finished run =
      inferbench(serve(server.url(), where, "5",
                       {"--request-rate", "10", "--burstiness", "inf", "--probe-request-rate",
                        "1000", "--extra-body", "{\"max_tokens\": 60}"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("probes succeeded: HTTP 400 Bad Request"));
  EXPECT_EQ(base::find(parsed(where.only(".json")), "probe_completed"), nullptr);
}

TEST(flow, the_server_s_counters_give_speculative_decoding_and_prefix_cache) {
  const folder where;
  simulator server(
      {"--ttft", "1ms", "--itl", "0", "--tokens-per-event", "3", "--draft-tokens", "4"});
  // 7 tokens: events of 3, 3 and 1; of 3 drafts of 4 tokens, 2, 2 and 0 are accepted.
  auto flags = serve(server.url(), where, "10", {"--num-warmups", "4"});
  *(std::ranges::find(flags, "--random-output-len") + 1) = "7";
  *(std::ranges::find(flags, "--random-input-len") + 1) = "160";
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = parsed(where.only(".json"));
  EXPECT_EQ(number(json, "spec_decode_num_drafts"), 30);
  EXPECT_EQ(number(json, "spec_decode_draft_tokens"), 120);
  EXPECT_EQ(number(json, "spec_decode_accepted_tokens"), 40);
  EXPECT_NEAR(number(json, "spec_decode_acceptance_rate"), 100.0 / 3, 1e-9);
  EXPECT_NEAR(number(json, "spec_decode_acceptance_length"), 1 + 4.0 / 3, 1e-9);
  const auto& rates = json["spec_decode_per_position_acceptance_rates"];
  ASSERT_EQ(rates.Size(), 4U);
  EXPECT_NEAR(rates[1].GetDouble(), 2.0 / 3, 1e-9);
  EXPECT_EQ(rates[2].GetDouble(), 0);
  // The warm-up sent sample 0, so it is in the cache: about a tenth of all prompt tokens.
  EXPECT_THAT(run.err, HasSubstr("% of the prompt tokens came from the server's prefix cache"));
}

TEST(flow, a_cold_cache_is_not_warned_of) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(serve(server.url(), where, "10"));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, Not(HasSubstr("prefix cache")));
  EXPECT_EQ(base::find(parsed(where.only(".json")), "spec_decode_num_drafts"), nullptr);
}

// Acceptance check 5 of the specification.
TEST(flow, queue_times_of_a_cap_of_one_are_the_requests_before) {
  const folder where;
  simulator server({"--ttft", "50ms", "--itl", "0"});
  const finished run = inferbench(serve(server.url(), where, "3",
                                        {"--max-concurrency", "1", "--percentile-metrics",
                                         "ttft,client_queue_time,e2el_including_client_queue"}));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = parsed(where.only(".json"));
  const auto& queue = json["queue_times"];
  ASSERT_EQ(queue.Size(), 3U);
  double sum = 0;
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_GE(queue[i].GetDouble(), 0.05 * i);
    sum += queue[i].GetDouble();
  }
  EXPECT_NEAR(number(json, "mean_client_queue_time_ms"), sum / 3 * 1e3, 1e-6);
  EXPECT_NEAR(number(json, "p99_client_queue_time_ms"),
              (queue[1].GetDouble() + 0.98 * (queue[2].GetDouble() - queue[1].GetDouble())) * 1e3,
              1e-6);
  EXPECT_EQ(base::find(json, "mean_e2el_including_client_queue_ms"), nullptr);
}

TEST(flow, several_runs_have_a_result_each_and_a_comparison) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(
      serve(server.url(), where, "8",
            {"--num-runs", "3", "--result-filename", "r.json", "--profile", "--num-warmups", "1"}));
  ASSERT_EQ(run.status, 0) << run.err;
  std::set<std::string> journals;
  for (const char* name : {"r-run1.json", "r-run2.json", "r-run3.json"}) {
    const auto json = parsed(where.path(name));
    EXPECT_EQ(number(json, "completed"), 8) << name;
    journals.emplace(base::text_of(base::find(json["inferbench"], "run")));
  }
  EXPECT_EQ(journals.size(), 3U) << "each run has a name of its own";
  EXPECT_THAT(run.out, HasSubstr("==================== Comparison of 3 runs "
                                 "====================\n"));
  EXPECT_THAT(run.out,
              HasSubstr("\nSuccessful requests:                           8.00       0.00\n"));
  // The run is set up once and measured three times.
  const auto count = [&](const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = run.out.find(text, at)) != std::string::npos; ++at)
      ++n;
    return n;
  };
  EXPECT_EQ(count("Starting profiler..."), 1U);
  EXPECT_EQ(count("Warming up with 1 requests..."), 1U);
  EXPECT_EQ(count("Starting main benchmark run..."), 3U);
  EXPECT_EQ(count("Serving Benchmark Result"), 3U);
}

TEST(flow, each_run_reports_the_cost_of_its_plugins) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(
      serve(server.url(), where, "20", {"--num-runs", "2", "--result-filename", "r.json"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nCost of backend openai:                  "));
  const auto json = parsed(where.path("r-run2.json"));
  const auto& costs = json["inferbench"]["facts"]["plugin_cost"];
  ASSERT_GE(costs.Size(), 2U);
  const auto& backend = costs[0];
  EXPECT_EQ(base::text_of(base::find(backend, "id")), "openai");
  EXPECT_GT(number(backend, "ns_per_request"), 0);
  EXPECT_GT(number(backend, "ns_per_event"), 0);
  // With so few calls every call is timed. Calls of the previous run do not count.
  EXPECT_EQ(number(backend["calls"]["open"], "timed"), 20);
  EXPECT_EQ(number(backend["calls"]["close"], "timed"), 20);
  EXPECT_EQ(base::text_of(base::find(costs[1], "kind")), "dataset");
  EXPECT_GT(number(costs[1], "ns_per_row"), 0);
  const auto& last = costs[costs.Size() - 1];
  EXPECT_EQ(base::text_of(base::find(last, "id")), "json");
  EXPECT_GT(number(last, "ns_per_record"), 0);
}

TEST(flow, several_runs_that_end_in_one_second_have_files_of_their_own) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(serve(server.url(), where, "4", {"--num-runs", "2"}));
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* which : {"run1", "run2"}) {
    EXPECT_THAT(run.out, HasSubstr(std::string("-") + which + ".json\n"));
    EXPECT_THAT(run.out, HasSubstr(std::string("-") + which + ".journal\n"));
  }
}

TEST(flow, several_runs_can_be_appended_to_one_file) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  auto flags = serve(server.url(), where, "4",
                     {"--num-runs", "2", "--append-result", "--result-filename", "all.jsonl"});
  std::erase(flags, "--save-detailed");
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string lines = read(where.path("all.jsonl"));
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1);
}

TEST(flow, runs_after_an_interrupted_one_are_not_begun) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  process run(serve(server.url(), where, "100000", {"--num-runs", "3", "--request-rate", "100"}));
  while (run.running() && run.out_so_far().find("Maximum request concurrency") == std::string::npos)
    ::usleep(2000);
  run.signal(SIGINT);
  const finished end = run.wait();
  EXPECT_EQ(end.status, 1) << end.err;
  EXPECT_THAT(end.out, Not(HasSubstr("Comparison of")));
  EXPECT_EQ(end.out.find("Starting main benchmark run..."),
            end.out.rfind("Starting main benchmark run..."));
}

TEST(flow, a_run_of_which_every_request_failed_has_finished) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0", "--max-model-len", "10"});
  const finished run = inferbench(serve(server.url(), where, "4"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(number(parsed(where.only(".json")), "failed"), 4);
}

TEST(flow, a_model_that_is_not_named_is_asked_for) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0", "--model", "org/found"});
  auto flags = serve(server.url(), where, "2");
  const auto at = std::ranges::find(flags, "--model");
  flags.erase(at, at + 2);
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Model not specified, fetching first model from server...\n"
                                 "First model name: org/found, first model id: org/found\n"));
}

}  // namespace
}  // namespace inferbench::testing
