// The modes of `serve` that vLLM's Rust client has: a dry run, several loads in one command, the
// reset of the prefix cache, and the limit of the model's length.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "framework/services/answering_server.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Flags for six random prompts of ten tokens.
std::vector<std::string> six_prompts(const std::string& url, const std::vector<std::string>& more) {
  std::vector<std::string> out{"serve", "--base-url",          url,     "--model",
                               "m",     "--tokenizer-mode",    "bytes", "--temperature",
                               "0",     "--num-prompts",       "6",     "--random-input-len",
                               "10",    "--random-output-len", "4"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

rapidjson::Document json_of_file(const std::string& path) {
  return base::parse_json(read(path), path);
}

TEST(serve_modes, a_dry_run_shows_the_first_request_and_asks_no_server) {
  const finished run = inferbench(
      six_prompts("http://127.0.0.1:1", {"--dry-run", "--header", "X-Tenant=t0p", "--salt", "S! ",
                                         "--request-id-prefix", "r-", "--num-warmups", "3"}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nRequests: 6\nFirst request, to http://127.0.0.1:1:\n\n"
                                 "POST /v1/completions HTTP/1.1\n"));
  EXPECT_THAT(run.out, HasSubstr("\nX-Tenant: (cut)\n"));
  EXPECT_THAT(run.out, HasSubstr("\nx-request-id: r-0\n"));
  EXPECT_THAT(run.out, HasSubstr("\n\n{\"model\":\"m\",\"prompt\":\"S! ")) << "with the salt";
  EXPECT_THAT(run.out, HasSubstr("\nWanted tokens of each output: 4\n"));
  EXPECT_THAT(run.out + run.err, Not(HasSubstr("t0p")));
  EXPECT_THAT(run.out, Not(HasSubstr("Serving Benchmark Result")));
}

TEST(serve_modes, a_sweep_makes_a_run_and_a_result_for_each_load) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(six_prompts(
      server.url(), {"--sweep-max-concurrency", "1,3", "--sweep-num-prompts-factor", "4",
                     "--sweep-summary-percentiles", "95", "--reset-prefix-cache", "--save-result",
                     "--result-filename", where.path("r.json"), "--journal", "none"}));
  ASSERT_EQ(run.status, 0) << run.err;
  for (const int number : {1, 2}) {
    const auto json = json_of_file(where.path("r-run" + std::to_string(number) + ".json"));
    EXPECT_EQ(json["max_concurrency"].GetInt(), number == 1 ? 1 : 3);
    EXPECT_EQ(json["completed"].GetInt(), number == 1 ? 4 : 12);
    EXPECT_TRUE(json.HasMember("p95_ttft_ms"));
  }
  EXPECT_THAT(run.out, HasSubstr(" Run 2 of 2: concurrency=3 "));
  EXPECT_THAT(run.out, HasSubstr(" Sweep Summary "));
  EXPECT_THAT(run.out, HasSubstr(" P95 TTFT(ms) P95 TPOT(ms)\nconcurrency=1 "));
  EXPECT_THAT(run.out, HasSubstr("\nHighest request throughput: "));
}

TEST(serve_modes, a_server_that_cannot_empty_its_cache_ends_the_run_before_it_begins) {
  const services::testing::answering_server server(
      [](const services::testing::asked&) { return services::testing::answered{404, {}}; });
  const finished run = inferbench(six_prompts(server.url(), {"--reset-prefix-cache"}));
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("the prefix cache was not emptied: POST " + server.url() +
                                 "/reset_prefix_cache has the status 404; "));
  EXPECT_THAT(run.out, Not(HasSubstr("Serving Benchmark Result")));
}

TEST(serve_modes, requests_beyond_the_length_of_the_model_are_left_out) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(six_prompts(
      server.url(), {"--random-range-ratio", "0.5", "--max-model-len", "14", "--save-result",
                     "--result-filename", where.path("r.json"), "--save-detailed"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr(" skipped: prompt and output have more than 14 tokens "));
  const auto json = json_of_file(where.path("r.json"));
  EXPECT_EQ(json["max_model_len"].GetInt(), 14);
  EXPECT_LT(json["completed"].GetInt(), 6);
  EXPECT_GT(json["completed"].GetInt(), 0);
  for (const auto& length : json["input_lens"].GetArray())
    EXPECT_LE(length.GetInt(), 14);
}

TEST(serve_modes, classes_of_the_rows_have_figures_of_their_own) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const std::string rows =
      where.write("rows.jsonl",
                  "{\"prompt\": \"a b\", \"workload_class\": \"chat\"}\n"
                  "{\"prompt\": \"c\", \"workload_class\": \"batch\"}\n{\"prompt\": \"d\"}\n");
  const finished run = inferbench({"serve",
                                   "--base-url",
                                   server.url(),
                                   "--model",
                                   "m",
                                   "--tokenizer-mode",
                                   "bytes",
                                   "--temperature",
                                   "0",
                                   "--dataset-name",
                                   "custom",
                                   "--dataset-path",
                                   rows,
                                   "--skip-chat-template",
                                   "--custom-output-len",
                                   "3",
                                   "--num-prompts",
                                   "3",
                                   "--save-result",
                                   "--result-filename",
                                   where.path("r.json"),
                                   "--journal",
                                   where.path("j")});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = json_of_file(where.path("r.json"));
  const auto& classes = json["inferbench"]["facts"]["workload_classes"];
  ASSERT_EQ(classes.MemberCount(), 2U);
  EXPECT_EQ(classes["chat"]["completed"].GetInt(), 1);
  EXPECT_EQ(classes["batch"]["total_output_tokens"].GetInt(), 3);
  EXPECT_TRUE(classes["batch"]["ttft_ms"].HasMember("p99"));
  ASSERT_EQ(
      inferbench({"report", where.path("j"), "--reporter", "json=" + where.path("again")}).status,
      0);
  const auto again = json_of_file(where.path("again"));
  EXPECT_EQ(again["inferbench"]["facts"]["workload_classes"], classes)
      << "a journal gives the same figures";
}

/// Flags for conversations of three turns, with messages of ten tokens.
std::vector<std::string> conversations(const std::string& url,
                                       const std::vector<std::string>& more) {
  std::vector<std::string> out =
      six_prompts(url, {"--backend", "openai-chat", "--endpoint", "/v1/chat/completions",
                        "--multi-turn", "--multi-turn-num-turns", "3"});
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(serve_modes, multi_turn_reports_each_turn_and_the_journal_gives_the_same) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0", "--output-tokens", "1"});
  const finished run = inferbench(conversations(
      server.url(), {"--multi-turn-concurrency", "4", "--multi-turn-delay-ms", "5", "--save-result",
                     "--save-detailed", "--result-filename", where.path("r.json"), "--journal",
                     where.path("j"), "--request-id-prefix", "r-"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nConversations completed/total:                6/6\n"));
  EXPECT_THAT(run.out, HasSubstr(" Turn 3 (6 samples) "));
  const auto json = json_of_file(where.path("r.json"));
  EXPECT_STREQ(json["mode"].GetString(), "multi_turn");
  EXPECT_EQ(json["completed"].GetInt(), 18);
  EXPECT_EQ(json["conversations_completed"].GetInt(), 6);
  EXPECT_EQ(json["avg_turns_completed"].GetDouble(), 3.0);
  EXPECT_EQ(json["multi_turn_concurrency"].GetInt(), 4);
  EXPECT_EQ(json["total_output_tokens"].GetInt(), 18 * 4) << "by min_tokens";
  ASSERT_EQ(json["per_turn_metrics"].Size(), 3U);
  EXPECT_EQ(json["per_turn_metrics"][0]["total_input_tokens"].GetInt(), 6 * 10);
  EXPECT_STREQ(json["sessions"][0].GetString(), "r-conv-0");
  ASSERT_EQ(
      inferbench({"report", where.path("j"), "--reporter", "json=" + where.path("again")}).status,
      0);
  EXPECT_EQ(json_of_file(where.path("again"))["per_turn_metrics"], json["per_turn_metrics"]);
}

TEST(serve_modes, multi_turn_sends_turns_alone_if_messages_share_prefixes) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(conversations(
      server.url(), {"--multi-turn-prefix-global-ratio", "0.5", "--save-result",
                     "--result-filename", where.path("r.json"), "--journal", "none"}));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = json_of_file(where.path("r.json"));
  EXPECT_TRUE(json["no_history_accumulation"].GetBool());
  EXPECT_EQ(json["prefix_unique_ratio"].GetDouble(), 0.5);
  for (const auto& turn : json["per_turn_metrics"].GetArray())
    EXPECT_EQ(turn["total_input_tokens"].GetInt(), 6 * 10);
}

TEST(serve_modes, multi_turn_names_the_session_in_the_header_that_is_wanted) {
  const finished run =
      inferbench(conversations("http://127.0.0.1:1", {"--dry-run", "--request-id-prefix", "r-",
                                                      "--session-header", "X-Chat"}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nX-Chat: r-conv-0\nx-request-id: r-conv-0-turn0\n"));
  EXPECT_THAT(run.out, HasSubstr("\"max_completion_tokens\":4,"));
  EXPECT_THAT(run.out, HasSubstr("\"min_tokens\":4"));
}

TEST(serve_modes, multi_turn_needs_a_dataset_with_conversations) {
  const finished run = inferbench(
      conversations("http://127.0.0.1:1", {"--dry-run", "--dataset-name", "prefix_repetition",
                                           "--prefix-repetition-num-prefixes", "2"}));
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("--multi-turn: the dataset prefix_repetition has no "
                                 "conversations"));
}

TEST(serve_modes, of_other_commands_are_named) {
  const finished one = inferbench({"serve", "--compare", "a.json"});
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.err, HasSubstr("write --compare BASE.json NEW.json"));
  EXPECT_THAT(inferbench({"serve", "--compare", "no-a.json", "no-b.json"}).err,
              HasSubstr("no-a.json"));
}

TEST(serve_modes, the_energy_of_gpus_is_measured_or_a_warning) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run =
      inferbench(six_prompts(server.url(), {"--record-power", "--save-result", "--result-filename",
                                            where.path("r.json")}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Serving Benchmark Result"));
  EXPECT_NE(run.err.find("the energy of the GPUs cannot be measured") != std::string::npos,
            json_of_file(where.path("r.json"))["inferbench"]["facts"].HasMember("gpu_energy"));
}

}  // namespace
}  // namespace inferbench::testing
