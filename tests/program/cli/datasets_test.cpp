// Every dataset in a run against the simulator: a server accepts requests for its samples.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct dataset_run {
  const char* name;
  const char* backend;
  const char* endpoint;
  std::vector<std::string> flags;
  const char* file = nullptr;  // file in the fixtures
  std::int64_t requests = 6;
};

const char* const completions = "/v1/completions";
const char* const chat = "/v1/chat/completions";

const dataset_run runs[] = {
    {"random", "vllm", completions, {"--random-input-len", "30"}},
    {"random-rerank", "vllm-rerank", "/v1/rerank", {"--random-input-len", "40"}},
    {"prefix_repetition", "vllm", completions, {"--prefix-repetition-num-prefixes", "2"}},
    {"sharegpt", "vllm", completions, {}, "sharegpt.json"},
    {"sonnet", "openai-chat", chat, {"--skip-chat-template", "--sonnet-input-len", "600"}},
    {"custom", "vllm", completions, {"--skip-chat-template"}, "custom.jsonl"},
    {"burstgpt", "vllm", completions, {}, "BurstGPT_1.csv"},
    {"spec_bench", "vllm", completions, {"--skip-chat-template"}, "spec_bench/question.jsonl"},
    {"speed_bench",
     "openai-chat",
     chat,
     {"--skip-chat-template", "--speed-bench-output-len", "9"},
     "speed_bench"},
    {"timed_trace",
     "vllm",
     completions,
     {"--timed-trace-sec-multiplier", "0.000001", "--timed-trace-chunk-hash-size", "512"},
     "mooncake_trace.jsonl"},
    {"bfcl", "openai-chat", chat, {"--bfcl-output-len", "7"}, "bfcl"},
    {"txt-slices", "vllm", completions, {"--txt-slices-input-len", "25"}, "conversations_text.txt"},
};

class dataset : public ::testing::TestWithParam<dataset_run> {};

TEST_P(dataset, makes_a_run_without_a_failed_request) {
  const dataset_run& with = GetParam();
  const folder where;
  const simulator server({"--ttft", "0ms", "--itl", "0ms"});
  std::vector<std::string> flags{
      "serve",       "--backend",      with.backend,   "--endpoint",
      with.endpoint, "--base-url",     server.url(),   "--tokenizer-mode",
      "bytes",       "--dataset-name", with.name,      "--num-prompts",
      "6",           "--save-result",  "--result-dir", where.path()};
  flags.insert(flags.end(), with.flags.begin(), with.flags.end());
  if (with.file != nullptr) {
    flags.emplace_back("--dataset-path");
    flags.push_back(fixture("datasets/" + std::string(with.file)));
  }
  const finished run = inferbench(flags);
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string path = where.only(".json");
  const auto result = base::parse_json(read(path), path);
  EXPECT_EQ(result["completed"].GetInt64(), with.requests);
  EXPECT_EQ(result["failed"].GetInt64(), 0);
  EXPECT_GT(result["total_input_tokens"].GetInt64(), 0);
}

INSTANTIATE_TEST_SUITE_P(every, dataset, ::testing::ValuesIn(runs), [](const auto& of) {
  std::string name = of.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(dataset_names, may_be_spelled_with_dashes) {
  const auto shown = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"dataset", "show", "--tokenizer-mode", "bytes", "--num-prompts",
                                 "4", "--request-id-prefix", "r-"});
    const finished end = inferbench(flags);
    EXPECT_EQ(end.status, 0) << end.err;
    return end.out;
  };
  EXPECT_EQ(
      shown({"--dataset-name", "prefix-repetition", "--prefix-repetition-num-prefixes", "2"}),
      shown({"--dataset-name", "prefix_repetition", "--prefix-repetition-num-prefixes", "2"}));
  const std::string trace = fixture("datasets/mooncake_trace.jsonl");
  const std::string dashed = shown({"--dataset-name", "timed-trace", "--dataset-path", trace,
                                    "--timed-trace-chunk-hash-size", "512"});
  EXPECT_EQ(dashed, shown({"--dataset-name", "timed_trace", "--dataset-path", trace,
                           "--timed-trace-chunk-hash-size", "512"}));
}

TEST(dataset_names, of_a_hub_become_our_datasets_with_the_same_samples) {
  const std::string data = fixture("datasets/bfcl");
  const std::vector<std::string> common{"--tokenizer-mode",    "bytes", "--num-prompts",  "4",
                                        "--request-id-prefix", "r-",    "--dataset-path", data};
  std::vector<std::string> hub{
      "dataset",           "show",
      "--dataset-name",    "hf",
      "--hf-name",         "gorilla-llm/Berkeley-Function-Calling-Leaderboard",
      "--hf-output-len",   "9",
      "--bfcl-categories", "simple"};
  std::vector<std::string> ours{"dataset",           "show", "--dataset-name",    "bfcl",
                                "--bfcl-output-len", "9",    "--bfcl-categories", "simple"};
  hub.insert(hub.end(), common.begin(), common.end());
  ours.insert(ours.end(), common.begin(), common.end());
  const finished end = inferbench(hub);
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err, ::testing::HasSubstr("dataset hf is read as bfcl for that id"));
  EXPECT_EQ(end.out, inferbench(ours).out);
  EXPECT_NE(end.out, "");
}

/// A run of two conversations of three turns each, from the fixture of `flags`.
rapidjson::Document talk(const std::vector<std::string>& more, std::string* console = nullptr) {
  const folder where;
  const simulator server({"--ttft", "1ms", "--itl", "0ms"});
  std::vector<std::string> flags{
      "serve",           "--backend",    "openai-chat",      "--endpoint", chat,
      "--base-url",      server.url(),   "--tokenizer-mode", "bytes",      "--save-result",
      "--save-detailed", "--result-dir", where.path()};
  flags.insert(flags.end(), more.begin(), more.end());
  const finished run = inferbench(flags);
  EXPECT_EQ(run.status, 0) << run.err;
  if (console != nullptr) *console = run.out;
  const std::string path = where.only(".json");
  return base::parse_json(read(path), path);
}

// SIGKILL, SIGTERM and SIGINT have the same effect.
TEST(prompts_that_are_kept, leave_no_incomplete_file_after_a_run_that_was_killed) {
  const folder cache;
  const folder model;
  model.write("tokenizer.model", read(fixture("sentencepiece/bpe.model")));
  const std::vector<std::string> through{"env", "XDG_CACHE_HOME=" + cache.path()};
  const auto show = [&](const std::string& count) {
    return std::vector<std::string>{"dataset",        "show",   "--tokenizer",        model.path(),
                                    "--dataset-name", "random", "--random-input-len", "20",
                                    "--num-prompts",  count};
  };
  const auto prompts = cache.root / "inferbench" / "prompts";
  const auto endings = [&] {
    std::vector<std::string> out;
    if (std::filesystem::exists(prompts))
      for (const auto& each : std::filesystem::directory_iterator(prompts))
        out.push_back(each.path().extension());
    return out;
  };
  {
    process killed(show("1000000"), 0, through);
    while (killed.running() && endings().empty())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    killed.signal(SIGKILL);
    EXPECT_EQ(killed.wait().status, 128 + SIGKILL);
  }
  EXPECT_THAT(endings(), ElementsAre(".part"));
  const finished next = inferbench(show("10000"), through);
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_THAT(endings(), ElementsAre(".prompts"));
}

TEST(conversation_run, each_turn_is_a_request_with_the_earlier_messages) {
  std::string console;
  const auto result = talk(
      {"--dataset-name", "conversations", "--dataset-path", fixture("datasets/conversations.json"),
       "--num-prompts", "2", "--max-concurrency", "2", "--disable-shuffle"},
      &console);
  const auto& facts = result["inferbench"]["facts"];
  EXPECT_EQ(facts["conversations"]["begun"].GetInt64(), 2);
  EXPECT_EQ(facts["conversations"]["finished"].GetInt64(), 2);
  const auto& turns = facts["turns"];
  ASSERT_GE(turns.Size(), 2U);
  std::int64_t requests = 0;
  double before = 0;
  for (const auto& turn : turns.GetArray()) {
    requests += turn["ok"].GetInt64();
    EXPECT_GT(turn["mean_input_tokens"].GetDouble(), before) << "prompts grow";
    before = turn["mean_input_tokens"].GetDouble();
  }
  EXPECT_EQ(result["completed"].GetInt64(), requests);
  EXPECT_THAT(console, HasSubstr("Conversations, finished / ended early:   2 / 0"));
}

TEST(conversation_run, sharegpt_and_the_generator_make_them_too) {
  for (const auto& flags :
       {std::vector<std::string>{"--dataset-name", "sharegpt", "--sharegpt-multi-turn",
                                 "--dataset-path", fixture("datasets/sharegpt_multi_turn.json")},
        std::vector<std::string>{"--dataset-name", "conversations", "--dataset-path",
                                 fixture("datasets/conversations_generate.json")}}) {
    std::vector<std::string> all = flags;
    all.insert(all.end(), {"--num-prompts", "3", "--request-rate", "200"});
    const auto result = talk(all);
    EXPECT_EQ(result["failed"].GetInt64(), 0);
    const auto& facts = result["inferbench"]["facts"];
    EXPECT_EQ(facts["conversations"]["finished"].GetInt64(), 3);
    EXPECT_GE(result["completed"].GetInt64(), 4);
  }
}

TEST(conversation_run, a_backend_without_chat_refuses_before_anything_is_sent) {
  const simulator server;
  const finished run = inferbench({"serve", "--backend", "vllm", "--base-url", server.url(),
                                   "--tokenizer-mode", "bytes", "--dataset-name", "conversations",
                                   "--dataset-path", fixture("datasets/conversations.json")});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("cannot send what the dataset conversations yields"));
}

TEST(conversation_run, only_they_have_a_limit_of_their_number) {
  const simulator server;
  const finished run =
      inferbench({"serve", "--backend", "vllm", "--base-url", server.url(), "--tokenizer-mode",
                  "bytes", "--dataset-name", "random", "--max-active-conversations", "3"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("the dataset random has no conversations"));
}

}  // namespace
}  // namespace inferbench::testing
