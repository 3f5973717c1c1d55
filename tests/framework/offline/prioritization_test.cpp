#include "offline/prioritization.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "offline/throughput_report.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

using ::testing::StartsWith;

throughput_options priority_options(const std::vector<std::string>& args) {
  return prioritization_options_of(line_of(args, benchmark::prioritization));
}
std::string priority_refusal(const std::vector<std::string>& args) {
  return refusal_of([&] { return priority_options(args); });
}

TEST(prioritization_options, have_the_defaults_of_the_script) {
  const throughput_options found =
      priority_options({"--model", "m", "--input-len", "32", "--output-len", "16", "--seed", "3"});
  EXPECT_EQ(found.engine, "vllm");
  EXPECT_TRUE(found.random_priorities);
  EXPECT_FALSE(found.detokenize);
  EXPECT_EQ(found.n, 1);
  EXPECT_EQ(found.tokenizer, "");
  EXPECT_EQ(found.output_json, std::nullopt);
  EXPECT_EQ(text_of_flags(dataset_flags(found.data, false)),
            "--dataset-name=repeated-text --num-prompts=200 --seed=3 --tokenizer-mode=none "
            "--input-len=32 --output-len=16");
}

TEST(prioritization_options, prompts_of_a_file_are_those_of_throughput) {
  const throughput_options found =
      priority_options({"--model", "m", "--dataset", "s.json", "--output-len", "4", "--num-prompts",
                        "7", "--n", "2", "--detokenize"});
  EXPECT_TRUE(found.detokenize);
  EXPECT_EQ(found.n, 2);
  EXPECT_EQ(found.tokenizer, "m");
  EXPECT_EQ(text_of_flags(dataset_flags(found.data, false)),
            "--dataset-name=sharegpt --dataset-path=s.json --num-prompts=7 --seed=0 "
            "--tokenizer-mode=auto --no-oversample=true --sharegpt-output-len=4");
}

TEST(prioritization_options, of_a_server_always_want_text) {
  const throughput_options found =
      priority_options({"--base-url", "http://h", "--input-len", "32", "--output-len", "16"});
  EXPECT_TRUE(found.server);
  EXPECT_TRUE(found.detokenize);
  EXPECT_EQ(found.engine, "openai");
}

TEST(prioritization_options, need_both_lengths_without_a_file) {
  EXPECT_THAT(priority_refusal({}), StartsWith("1: --input-len: is required without --dataset"));
  EXPECT_THAT(priority_refusal({"--input-len", "5"}),
              StartsWith("1: --output-len: is required without --dataset"));
  EXPECT_EQ(priority_refusal({"--input-len", "1", "--output-len", "5"}),
            "1: --input-len: must be at least 2, not 1");
}

TEST(prioritization_options, with_a_file_have_no_input_length_and_no_short_output) {
  EXPECT_THAT(priority_refusal({"--dataset", "s.json", "--input-len", "5"}),
              StartsWith("1: --input-len: cannot be used with --dataset"));
  EXPECT_EQ(priority_refusal({"--dataset", "s.json", "--output-len", "3"}),
            "1: --output-len: must be at least 4 with a file of conversations, not 3");
}

TEST(prioritization_options, name_engines_that_are_refused_after_the_prompts) {
  for (const char* engine : {"hf", "mii"}) {
    const throughput_options found =
        priority_options({"--backend", engine, "--input-len", "5", "--output-len", "5"});
    EXPECT_TRUE(found.has_removed_engine());
    EXPECT_THAT(refusal_of([&] {
                  require_engine(found);
                  return 0;
                }),
                StartsWith("1: --backend: Unknown backend: " + std::string(engine)));
  }
  EXPECT_FALSE(priority_options({"--input-len", "5", "--output-len", "5"}).has_removed_engine());
  EXPECT_FALSE(throughput_in({"--backend", "hf", "--hf-max-batch-size", "2"}).has_removed_engine());
  EXPECT_THAT(priority_refusal({"--backend", "vlm", "--input-len", "5"}),
              StartsWith("2: --backend: \"vlm\" is not one of vllm, hf, mii"));
}

TEST(prioritization_report, counts_the_tokens_of_the_samples_once_for_each_request) {
  const throughput_options options =
      priority_options({"--input-len", "10", "--output-len", "5", "--n", "3"});
  const std::vector<request_tokens> requests(2, {10, 5, 4, 15, false});
  const throughput_result found = throughput_of(options, 0.5, requests);
  EXPECT_EQ(found.total_tokens(), 30U);
  support::expect_golden(prioritization_text(found) + result_text(throughput_json(found)) + "\n",
                         std::string(INFERBENCH_FIXTURES) + "/offline/prioritization.txt");
}

}  // namespace
}  // namespace inferbench::offline
