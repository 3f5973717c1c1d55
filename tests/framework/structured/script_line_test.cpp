#include "structured/script_line.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/refusal.hpp"

namespace inferbench::structured {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pointee;

script_line read(std::vector<std::string> words) {
  words.insert(words.begin(), {"--model", "org/m"});
  return script_line(words);
}

std::string complaint(const std::vector<std::string>& words) {
  try {
    const script_line line(words);
  } catch (const options::usage_error& refusal) {
    return refusal.what();
  }
  return "accepted";
}

TEST(script_line, flags_have_values_or_defaults) {
  const script_line line = read({"--dataset", "regex", "--num_prompts=7", "--save-results"});
  EXPECT_EQ(line.text("dataset"), "regex");
  EXPECT_EQ(line.text("num-prompts"), "7");
  EXPECT_TRUE(line.has("save-results"));
  EXPECT_FALSE(line.has("profile"));
  EXPECT_EQ(line.text("output-len"), "128");
  EXPECT_EQ(line.text("result-dir"), "");
  EXPECT_THAT(line.rest(), IsEmpty());
}

TEST(script_line, the_last_of_several_equal_flags_counts) {
  EXPECT_EQ(read({"--seed", "1", "--seed", "2"}).text("seed"), "2");
}

TEST(script_line, a_list_takes_all_words_up_to_the_next_flag) {
  const script_line line = read({"--goodput", "ttft:100", "tpot:5", "--seed", "3"});
  EXPECT_THAT(line.last("goodput"), Pointee(ElementsAre("ttft:100", "tpot:5")));
  EXPECT_EQ(line.text("seed"), "3");
}

TEST(script_line, a_negative_number_is_a_value) {
  EXPECT_EQ(read({"--request-rate", "-1"}).text("request-rate"), "-1");
}

TEST(script_line, all_other_words_are_for_serve_in_their_order) {
  const script_line line = read({"--journal", "j", "--dataset", "choice", "--correctness=upstream",
                                 "--header", "a=b", "c=d", "-x"});
  EXPECT_THAT(line.rest(), ElementsAre("--journal", "j", "--correctness=upstream", "--header",
                                       "a=b", "c=d", "-x"));
  EXPECT_TRUE(line.rest_has("--correctness"));
  EXPECT_FALSE(line.rest_has("--dataset"));
}

TEST(script_line, help_ends_the_line) {
  for (const char* word : {"-h", "--help", "--help=all"}) {
    EXPECT_TRUE(script_line(std::vector<std::string>{word, "--num-prompts", "x"}).help());
    EXPECT_FALSE(read({}).help());
  }
}

TEST(script_line, bad_input_gets_one_line_that_names_the_flag) {
  EXPECT_EQ(complaint({}), "--model: is required; give the name of the model");
  EXPECT_EQ(complaint({"--num-prompts", "many"}), "--num-prompts: \"many\" is not a whole number");
  EXPECT_EQ(complaint({"--output-len=1.5"}), "--output-len: \"1.5\" is not a whole number");
  EXPECT_EQ(complaint({"--request-rate", "fast\nest"}).find('\n'), std::string::npos);
  EXPECT_EQ(complaint({"--dataset", "xml"}),
            "--dataset: there is no data set \"xml\"; choose one of json, json-unique, grammar, "
            "regex, choice, xgrammar_bench");
  EXPECT_EQ(complaint({"--save-results=yes"}),
            "--save-results: takes no value; leave out \"=yes\"");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--seed"}, {"--seed", "--profile"}, {"--goodput", "--profile"}})
    EXPECT_EQ(complaint(words), words[0] + ": a value is missing; give it as " + words[0] +
                                    "=VALUE if it begins with a dash");
}

TEST(script_line, the_first_wrong_argument_is_named_before_a_missing_model) {
  EXPECT_EQ(complaint({"--port", "x", "--seed", "y"}), "--port: \"x\" is not a whole number");
}

}  // namespace
}  // namespace inferbench::structured
