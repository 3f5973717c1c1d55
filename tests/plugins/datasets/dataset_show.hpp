// Runs `inferbench dataset show` in a separate process, and compares its output with golden files.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "plugins/datasets/data_file.hpp"
#include "support/tokenizer_cache.hpp"

namespace support {

struct command_output {
  int status = -1;
  std::string out;  // standard output; if the command failed, standard error
};

/// `arguments`: command-line arguments in the syntax of a shell.
inline command_output show(const std::string& arguments) {
  const std::string command = std::string("'") + INFERBENCH_BINARY + "' dataset show --model m " +
                              "--request-id-prefix bench- " + arguments;
  const auto output_of = [](const std::string& line, int* status) {
    std::FILE* const from = ::popen(line.c_str(), "r");
    std::string out;
    std::array<char, 4096> some;
    for (std::size_t n = 0; (n = std::fread(some.data(), 1, some.size(), from)) > 0;)
      out.append(some.data(), n);
    const int ended = ::pclose(from);
    if (status != nullptr) *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return out;
  };
  command_output result;
  result.out = output_of(command + " 2>/dev/null", &result.status);
  if (result.status != 0) result.out = output_of(command + " 2>&1 >/dev/null", nullptr);
  return result;
}

/// Whether a message says that DuckDB, which reads Parquet, is not installed. False if it is
/// required.
inline bool lacks_duckdb(const std::string& message) {
  const char* const required = std::getenv("INFERBENCH_REQUIRE_DUCKDB");
  if (required != nullptr && std::string_view(required) == "1") return false;
  return message.find("DuckDB") != message.npos && message.find("not installed") != message.npos;
}

inline std::string fixture_path(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/datasets/" + name;
}

struct golden_run {
  const char* tokenizer;
  std::uint64_t seed;
};
inline constexpr golden_run golden_runs[] = {
    {"gpt2", 0}, {"gpt2", 42}, {"llama3", 0}, {"llama3", 42}};

/// Expects the samples of golden/DATASET_TOKENIZER_SEED.jsonl. A Python program with its own
/// tokenizer has computed them by the rules of vllm bench serve (tests/tools/golden_samples.py).
/// FIXTURES in the golden file means the folder of the fixtures. If the tokenizer has not been
/// fetched, the test is skipped, or fails if all tokenizers are required. `file` replaces DATASET
/// in the name of the golden file. `shortened`, if given, makes the text that is compared from the
/// samples and the golden file.
inline void is_golden(const std::string& dataset, const golden_run& run,
                      const std::string& arguments, const std::string& file = {},
                      std::string (*shortened)(const std::string& samples,
                                               const std::string& golden) = nullptr) {
  const auto tokenizer = inferbench::support::tokenizer_cache() / run.tokenizer;
  if (!std::filesystem::exists(tokenizer / "tokenizer.json")) {
    const char* const required = std::getenv("INFERBENCH_REQUIRE_TOKENIZERS");
    const bool must_be = required != nullptr && std::string_view(required) == "1";
    ASSERT_FALSE(must_be) << tokenizer << " is not there; tests/tools/fetch_tokenizers fetches it";
    GTEST_SKIP() << tokenizer << " is not there; tests/tools/fetch_tokenizers fetches it";
  }
  const command_output got =
      show("--dataset-name " + dataset + " --tokenizer-mode hf --tokenizer '" + tokenizer.string() +
           "' --seed " + std::to_string(run.seed) + " " + arguments);
  if (got.status != 0 && lacks_duckdb(got.out)) GTEST_SKIP() << got.out;
  ASSERT_EQ(got.status, 0) << got.out;
  std::string out = got.out;
  const std::string here = std::string(INFERBENCH_FIXTURES) + "/datasets";
  for (std::size_t at = 0; (at = out.find(here, at)) != out.npos;)
    out.replace(at, here.size(), "FIXTURES");
  const std::string golden =
      read_fixture("datasets/golden/" + (file.empty() ? dataset : file) + "_" + run.tokenizer +
                   "_" + std::to_string(run.seed) + ".jsonl");
  EXPECT_EQ(shortened == nullptr ? out : shortened(out, golden), golden);
}

/// The flags for the chat template: gpt2 has no chat template.
inline std::string template_of(const golden_run& run) {
  return std::string_view(run.tokenizer) == "gpt2" ? " --skip-chat-template" : "";
}

/// is_golden() for 20 prompts from `path`, with the chat template if the tokenizer has one.
inline void is_golden_of(const std::string& dataset, const golden_run& run,
                         const std::string& path) {
  is_golden(dataset, run, "--num-prompts 20 --dataset-path '" + path + "'" + template_of(run));
}

/// The first prompt of `path`, with --tokenizer-mode bytes and without a chat template.
inline command_output show_first(const std::string& dataset, const std::string& path) {
  return show("--dataset-name " + dataset + " --tokenizer-mode bytes --skip-chat-template " +
              "--num-prompts 1 --dataset-path '" + path + "'");
}

}  // namespace support
