// `inferbench tokenizer` as a process: lines in, lines out.
#include <cstdio>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/process.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;

/// The command's output for `input` on standard input.
std::string answers_of_tokenizer(const std::string& arguments, const std::string& input) {
  const support::temporary_folder files;
  files.write("in", input);
  const std::string command = std::string(INFERBENCH_BINARY) + " tokenizer " + arguments + " <" +
                              files.quoted("in") + " >" + files.quoted("out") + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return read(files.path("out"));
}

TEST(tokenizer_command, answers_line_by_line) {
  EXPECT_EQ(answers_of_tokenizer("encode --tokenizer-mode bytes",
                                 "{\"text\": \"hi\"}\nnonsense\n{\"text\": \"\"}"),
            "{\"ids\": [104, 105], \"ids_special\": [104, 105]}\n"
            "{\"error\": \"InvalidInput\", \"message\": \"malformed JSON: Invalid value\"}\n"
            "{\"ids\": [], \"ids_special\": []}\n");
  EXPECT_EQ(answers_of_tokenizer("decode --tokenizer-mode bytes", "{\"ids\": [104, 105]}\n"),
            "{\"decoded\": \"hi\", \"decoded_skip\": \"hi\"}\n");
  EXPECT_EQ(answers_of_tokenizer("count --tokenizer-mode bytes", "{\"text\": \"\\u00e9\"}\n"),
            "{\"count\": 2}\n");
  EXPECT_EQ(
      answers_of_tokenizer("render --tokenizer-mode bytes", "{\"messages\": []}\n"),
      "{\"error\": \"TokenizerError\", \"message\": \"the tokenizer has no chat template\"}\n");
  EXPECT_EQ(answers_of_tokenizer("count --tokenizer-mode bytes", ""), "");
}

TEST(tokenizer_command, whoever_waits_for_an_answer_gets_it_before_the_input_ends) {
  const support::temporary_folder files;
  const std::string command = std::string(INFERBENCH_BINARY) +
                              " tokenizer count --tokenizer-mode bytes >" + files.quoted("out");
  FILE* const asked = ::popen(command.c_str(), "w");
  ASSERT_NE(asked, nullptr);
  std::fputs("{\"text\": \"abc\"}\n", asked);
  std::fflush(asked);
  while (read(files.path("out")).empty()) {
  }
  EXPECT_EQ(read(files.path("out")), "{\"count\": 3}\n");
  EXPECT_EQ(::pclose(asked), 0);
}

TEST(tokenizer_command, info_is_one_line) {
  EXPECT_EQ(answers_of_tokenizer("info --tokenizer-mode bytes", ""),
            "{\"tokenizer\": \"bytes\", \"source\": null, \"digest\": null, \"vocab_size\": 128, "
            "\"vocab_size_with_added\": 256, \"special_ids\": [], \"named_special_ids\": [], "
            "\"added_to_empty_text\": 0}\n");
}

TEST(tokenizer_command, reports_its_usage) {
  EXPECT_THAT(inferbench({"tokenizer"}).err,
              HasSubstr("usage: inferbench tokenizer encode|decode"));
  EXPECT_THAT(inferbench({"tokenizer", "--help"}).out, HasSubstr("info    reads nothing"));
  EXPECT_EQ(
      inferbench({"tokenizer", "show"}).err,
      "inferbench: inferbench tokenizer does not know show; it is encode, decode, count, render "
      "or info\n");
  EXPECT_EQ(inferbench({"tokenizer", "encode", "--num-prompts", "5"}).status, 2);
}

}  // namespace
}  // namespace inferbench::testing
