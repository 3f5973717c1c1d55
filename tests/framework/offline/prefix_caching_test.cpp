#include "offline/prefix_caching.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "offline/result_file.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

prefix_caching_options prefix_options(std::vector<std::string> args,
                                      const installed_names& installed = {}) {
  args.insert(args.begin(), {"--model", "m", "--num-prompts", "5"});
  return prefix_caching_options_of(line_of(args, benchmark::prefix_caching), installed);
}
std::string prefix_refusal(const std::vector<std::string>& args) {
  return refusal_of([&] { return prefix_options(args); });
}
std::string range_refusal(const std::string& text) {
  return refusal_of([&] { return prompt_range_in(text); });
}
std::string flags_of_prompts(const prefix_caching_options& options) {
  return text_of_flags(dataset_flags(options.data, false));
}

TEST(prefix_caching_options, have_the_defaults_of_the_script) {
  const prefix_caching_options found = prefix_options({"--input-length-range", "128:256"});
  EXPECT_EQ(found.engine, "vllm");
  EXPECT_EQ(found.model, "m");
  EXPECT_EQ(found.tokenizer, "m");
  EXPECT_EQ(found.output_len, 10);
  EXPECT_EQ(found.repeats, 1);
  EXPECT_FALSE(found.sorted);
  EXPECT_TRUE(found.detokenize);
  EXPECT_FALSE(found.server);
  EXPECT_EQ(found.output_json, std::nullopt);
}

TEST(prefix_caching_options, prompts_without_a_file_have_one_prefix_and_a_part_of_their_own) {
  EXPECT_EQ(
      flags_of_prompts(prefix_options({"--input-length-range", "128:256", "--prefix-len", "100",
                                       "--output-len", "3", "--seed", "7", "--tokenizer", "t"})),
      "--dataset-name=prefix_repetition --num-prompts=5 --seed=7 --tokenizer=t "
      "--tokenizer-mode=auto --prefix-repetition-prefix-len=100 "
      "--prefix-repetition-suffix-len=uniform(28, 156) --prefix-repetition-num-prefixes=1 "
      "--prefix-repetition-output-len=3");
}

TEST(prefix_caching_options, one_length_for_all_prompts_needs_no_distribution) {
  EXPECT_THAT(
      flags_of_prompts(prefix_options({"--input-length-range", "20:20", "--prefix-len", "20"})),
      HasSubstr("--prefix-repetition-suffix-len=0 "));
}

TEST(prefix_caching_options, prompts_of_a_file_are_chosen_by_their_length) {
  EXPECT_EQ(flags_of_prompts(prefix_options({"--input-length-range", "128:256", "--dataset-path",
                                             "s.json", "--output-len", "4"})),
            "--dataset-name=sharegpt --dataset-path=s.json --num-prompts=5 --seed=0 "
            "--tokenizer-mode=auto --no-oversample=true --sharegpt-output-len=4 "
            "--sharegpt-input-length-range=128:256");
}

TEST(prefix_caching_options, of_the_engine_are_passed_on) {
  const prefix_caching_options found = prefix_options(
      {"--input-length-range", "1:2", "--enable-prefix-caching", "--max-model-len", "99"});
  EXPECT_TRUE(found.passed_on.has("enable-prefix-caching"));
  EXPECT_EQ(found.passed_on.whole("max-model-len"), 99);
}

TEST(prefix_caching_options, take_an_installed_engine_or_a_server) {
  const std::vector<std::string> range{"--input-length-range", "1:2"};
  EXPECT_EQ(
      prefix_options({"--input-length-range", "1:2", "--backend", "mine"}, {{"mine"}, {}}).engine,
      "mine");
  const prefix_caching_options server =
      prefix_options({"--input-length-range", "1:2", "--base-url", "http://h"});
  EXPECT_TRUE(server.server);
  EXPECT_EQ(server.engine, "openai");
  EXPECT_THAT(prefix_refusal({"--input-length-range", "1:2", "--backend", "hf"}),
              StartsWith("2: --backend: \"hf\" is not one of vllm"));
}

TEST(prefix_caching_options, that_the_script_requires_are_required_by_the_parser) {
  const auto refused = [](const std::vector<std::string>& args) {
    return refusal_of(
        [&] { return prefix_caching_options_of(line_of(args, benchmark::prefix_caching)); });
  };
  EXPECT_THAT(refused({"--input-length-range", "x"}), StartsWith("2: --num-prompts: is required"));
  EXPECT_THAT(refused({"--num-prompts", "3", "--prefix-len", "9"}),
              StartsWith("2: --input-length-range: is required"));
  EXPECT_EQ(refused({"--num-prompts", "0", "--input-length-range", "1:2"}),
            "1: --num-prompts: must be at least 1, not 0");
}

TEST(prefix_caching_options, are_refused_in_the_order_of_the_script) {
  const std::string file = "s.json";
  EXPECT_THAT(prefix_refusal({"--input-length-range", "9:5", "--prefix-len", "3", "--dataset-path",
                              file, "--output-len", "3"}),
              HasSubstr("minimum above its maximum"));
  EXPECT_EQ(prefix_refusal({"--input-length-range", "5:9", "--prefix-len", "3", "--dataset-path",
                            file, "--output-len", "3"}),
            "1: --prefix-len: is for random prompts, not for those of --dataset-path; leave out "
            "one of the two");
  EXPECT_EQ(
      prefix_refusal({"--input-length-range", "5:9", "--dataset-path", file, "--output-len", "3"}),
      "1: --output-len: must be at least 4 with a file of conversations, not 3");
  EXPECT_EQ(prefix_refusal({"--input-length-range", "5:9", "--prefix-len", "6"}),
            "1: --prefix-len: is 6 tokens, but the shortest prompt has 5; give a shorter prefix, "
            "or a larger minimum of --input-length-range");
  EXPECT_THAT(prefix_refusal({"--input-length-range", "5:9", "--repeat-count", "2147483647"}),
              StartsWith("1: --repeat-count: 5 prompts, repeated 2147483647 times, are more than "
                         "2147483647 requests"));
}

TEST(prompt_ranges, have_two_limits_that_may_be_equal) {
  EXPECT_EQ(prompt_range_in("128:256").least, 128);
  EXPECT_EQ(prompt_range_in("128:256").most, 256);
  EXPECT_EQ(prompt_range_in("0:0").most, 0);
  EXPECT_EQ(prompt_range_in(" 1 : 1_000 ").most, 1000);  // as Python's int() reads them
}

TEST(prompt_ranges, of_another_form_are_refused) {
  const std::string remedy =
      "; write the shortest and the longest prompt in tokens, such as 128:256";
  for (const char* text : {"", "128", "1:2:3", "1-2"})
    EXPECT_EQ(range_refusal(text),
              "1: --input-length-range: \"" + std::string(text) + "\" is not MIN:MAX" + remedy);
  for (const char* text : {":", "1:", ":2", "a:b", "1.5:2", "99999999999999999999:1"})
    EXPECT_EQ(range_refusal(text), "1: --input-length-range: \"" + std::string(text) +
                                       "\" is not MIN:MAX with two whole numbers" + remedy);
  EXPECT_THAT(range_refusal("-1:2"), HasSubstr("negative minimum"));
  EXPECT_THAT(range_refusal("3:2"), HasSubstr("a minimum above its maximum"));
  EXPECT_THAT(range_refusal("1:16777217"), HasSubstr("a maximum above 16777216"));
}

TEST(prefix_caching_texts, are_those_of_the_golden_file) {
  const std::vector<std::int64_t> lengths{193, 162, 237, 200, 177, 181};
  support::expect_golden(sampled_text(lengths) + prefix_caching_text(0.140693792) +
                             prefix_caching_text(12) + result_text(prefix_caching_json(0.25, 12)) +
                             "\n",
                         std::string(INFERBENCH_FIXTURES) + "/offline/prefix_caching.txt");
}

// python3 -c 'import random; x = list(range(3)) * 2; random.seed(7); random.shuffle(x); print(x)'
TEST(repeated_orders, are_shuffled_like_a_list_of_python) {
  prefix_caching_options options;
  options.repeats = 2;
  options.data.seed = 7;
  EXPECT_THAT(repeated_order(options, std::vector<std::int64_t>{30, 10, 20}),
              ElementsAre(1, 0, 2, 0, 1, 2));
}

TEST(repeated_orders, may_be_sorted_by_length_and_equal_lengths_keep_their_order) {
  prefix_caching_options options;
  options.repeats = 2;
  options.sorted = true;
  EXPECT_THAT(repeated_order(options, std::vector<std::int64_t>{30, 10, 10}),
              ElementsAre(1, 2, 1, 2, 0, 0));
}

}  // namespace
}  // namespace inferbench::offline
