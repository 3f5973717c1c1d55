#include "perf/command_words.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/node.hpp"
#include "pytext/python_json.hpp"
#include "sweep/command.hpp"

namespace inferbench::perf {
namespace {

using testing::ElementsAre;

options::node table_from(const std::string& json) { return pytext::read_json_node(json, "t.json"); }

TEST(option_words, have_dashes_in_names_and_values_as_words_of_their_own) {
  EXPECT_THAT(option_words(table_from(R"({"tensor_parallel_size": 4, "random-input-len": 128,
                                     "gpu_memory_utilization": 0.9, "dtype": "bfloat16"})")),
              ElementsAre("--tensor-parallel-size", "4", "--random-input-len", "128",
                          "--gpu-memory-utilization", "0.9", "--dtype", "bfloat16"));
}

TEST(option_words, write_an_empty_text_as_a_switch_and_a_boolean_as_a_word) {
  EXPECT_THAT(
      option_words(table_from(R"({"disable_log_stats": "", "a": true, "b": false, "c": null})")),
      ElementsAre("--disable-log-stats", "--a", "true", "--b", "false", "--c", "null"));
}

TEST(option_words, keep_a_value_with_blanks_and_json_in_one_word) {
  EXPECT_THAT(
      option_words(table_from(R"({"chat_template": "a b; rm *", "config": {"mode": [1, 2]}})")),
      ElementsAre("--chat-template", "a b; rm *", "--config", R"({"mode": [1, 2]})"));
}

TEST(option_words, print_whole_numbers_without_a_decimal_point) {
  EXPECT_THAT(
      option_words(table_from(R"({"a": 1.0, "b": -0.5, "c": 1e300, "d": 12345678901234567890})")),
      ElementsAre("--a", "1", "--b", "-0.5", "--c", "1e+300", "--d", "12345678901234567890"));
}

TEST(environment_words, are_pairs_in_the_order_of_the_table) {
  EXPECT_THAT(environment_words(table_from(R"({"VLLM_USE_V1": 1, "A": "x y", "B": true})")),
              ElementsAre("VLLM_USE_V1=1", "A=x y", "B=true"));
}

TEST(an_option, is_found_and_removed_in_both_spellings) {
  const options::node both = table_from(R"({"num-prompts": 1, "a": 2, "num_prompts": 3})");
  ASSERT_NE(option_of(both, "num_prompts"), nullptr);
  EXPECT_EQ(option_of(both, "num_prompts")->integer, 1);
  EXPECT_EQ(option_of(both, "num_prompt"), nullptr);
  EXPECT_THAT(option_words(without_option(both, "num_prompts")), ElementsAre("--a", "2"));
}

TEST(a_shell_line, is_split_into_the_same_words) {
  const std::vector<std::string> words{"vllm", "serve", "a b", "it's", "", "$HOME", "\\", "x\ny"};
  EXPECT_EQ(sweep::split_words(shell_line(words), "--x"), words);
}

}  // namespace
}  // namespace inferbench::perf
