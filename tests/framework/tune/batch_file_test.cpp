#include "tune/batch_file.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/golden.hpp"

namespace inferbench::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

batch_variables variables_of(const std::string& object) {
  return batch_file("[" + object + "]", "f.json").variables(0);
}

std::string file_refusal(const std::string& text) {
  return support::error_text([&] { return batch_file(text, "f.json").size(); });
}

TEST(a_batch_file, makes_variables_of_the_members) {
  EXPECT_THAT(
      variables_of(R"({"model": "org/m", "INPUT_LEN": 100, "tp": 2.5, "flag": true,
                               "num_seqs_list": "8 16", "num_batched_tokens_list": [512, "1024"],
                               "none": null, "empty": "", "list": []})")
          .variables,
      ElementsAre("MODEL=org/m", "INPUT_LEN=100", "TP=2.5", "FLAG=True", "NUM_SEQS_LIST=8 16",
                  "NUM_BATCHED_TOKENS_LIST=512 1024", "EMPTY=", "LIST="));
}

TEST(a_batch_file, strips_names_and_says_so) {
  EXPECT_EQ(variable_name("num-seqs list_2\xC3\xA9"), "NUMSEQSLIST_2");
  const batch_variables found = variables_of(R"({"input-len": 5, "--": 6, "tp": 1})");
  EXPECT_THAT(found.variables, ElementsAre("INPUTLEN=5", "TP=1"));
  EXPECT_THAT(found.notices, ElementsAre("the member input-len sets the variable INPUTLEN",
                                         "the member -- names no variable"));
}

TEST(a_batch_file, takes_the_last_of_several_members_for_a_variable) {
  EXPECT_THAT(variables_of(R"({"tp": 1, "model": "m", "TP": 2, "Tp": 3})").variables,
              ElementsAre("MODEL=m", "TP=3"));
}

TEST(a_batch_file, does_not_take_results_for_variables) {
  EXPECT_THAT(variables_of(R"({"run_id": "x", "status": "SUCCESS", "results": {"a": 1},
                               "gcs_results": "y"})")
                  .variables,
              IsEmpty());
}

TEST(a_batch_file, of_another_form_is_refused) {
  EXPECT_EQ(file_refusal("{}"),
            "f.json: the file is no array of runs; write for instance [{\"model\": "
            "\"org/m\", \"num_seqs_list\": \"128 256\"}]");
  EXPECT_EQ(file_refusal("[{}, 3]"),
            "f.json: run 2 is no object; write the variables of each run as "
            "the members of an object");
  EXPECT_THAT(file_refusal("[{"), HasSubstr("f.json:1:"));
  EXPECT_THAT(file_refusal(""), HasSubstr("f.json:1:"));
  for (const char* text : {R"([{"a": {}}])", R"([{"a": [[1]]}])", R"([{"a": "x\u0000y"}])",
                           R"([{"a": [1, "\u0000"]}])"}) {
    EXPECT_THAT(file_refusal(text), HasSubstr("the member a of run 1 is no variable")) << text;
  }
}

TEST(a_batch_file, may_be_empty) {
  EXPECT_EQ(batch_file("[]", "f.json").size(), 0U);
  EXPECT_EQ(batch_file("[]", "f.json").text(), "[]\n");
  EXPECT_THAT(batch_file("[]", "f.json").summary(0), ElementsAre("0 runs: 0 succeeded, 0 did not"));
}

TEST(a_batch_file, keeps_its_members_and_gets_the_results) {
  batch_file file(R"([{"model": "m", "status": "FAILURE", "x": 1.0},
                      {"model": "\u00e9", "num_seqs_list": [8, 16]},
                      {"hf_token": "hf_1", "tp": 1, "status": "SUCCESS"}])",
                  "f.json");
  file.set(0, batch_file::status, "SUCCESS");
  file.set(0, batch_file::run_id, "2026_01_02_03_04");
  file.set(0, batch_file::results, "hash:x\nbest \"y\"\n");
  file.set(1, batch_file::status, "FAILURE");
  EXPECT_EQ(file.member(0, batch_file::run_id), "2026_01_02_03_04");
  support::expect_golden(file.text(), INFERBENCH_FIXTURES "/tune/batch.json");
  // The third run has the status of an earlier batch.
  EXPECT_THAT(file.summary(2),
              ElementsAre("3 runs: 1 succeeded, 2 did not",
                          "  run 2: FAILURE, 'MODEL=\xC3\xA9' 'NUM_SEQS_LIST=8 16'",
                          "  run 3: not run, 'HF_TOKEN=(cut)' TP=1"));
  file.remove(0, batch_file::status);
  EXPECT_EQ(file.member(0, batch_file::status), "");
}

TEST(the_line_of_a_result, is_found_in_pieces) {
  result_line found;
  for (const char* piece : {"x RESULT_FILE=/no\nRESULT", "_FILE=/a/b", "/result.txt", "\nmore"})
    found.add(piece);
  EXPECT_EQ(found.path(), "/a/b/result.txt");
  found.add("\nRESULT_FILE=/c\n");
  EXPECT_EQ(found.path(), "/c");
}

TEST(the_line_of_a_result, counts_when_it_has_ended_and_is_not_too_long) {
  result_line found;
  found.add("RESULT_FILE=/a");
  EXPECT_EQ(found.path(), "");
  found.add(std::string(100'000, 'x') + "\n");
  EXPECT_EQ(found.path(), "");
  found.add("RESULT_FILE=/b\n");
  EXPECT_EQ(found.path(), "/b");
}

}  // namespace
}  // namespace inferbench::tune
