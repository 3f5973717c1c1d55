// The commands prefix-caching, long-document-qa and prioritization from the command line to the
// files of their results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/offline_box.hpp"
#include "support/golden.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class offline_scripts : public ::testing::Test {
 protected:
  /// Runs a command with the reference engine, whose times are computed, and compares the lines and
  /// the result with a golden file.
  void expect_script(std::vector<std::string> args, const std::string& golden) {
    const std::string json = where.path("out.json");
    args.insert(args.end(), {"--backend", "reference-engine", "--output-json", json});
    const finished end = inferbench(args);
    ASSERT_EQ(end.status, 0) << end.err;
    // The line of the command has the path of this run.
    const std::string lines = end.out.substr(end.out.find('\n') + 1);
    support::expect_golden(lines + "---- out.json\n" + read(json) + "\n", fixture("cli/" + golden));
  }

  const folder where;
};

TEST_F(offline_scripts, measure_random_prompts_with_a_common_prefix) {
  expect_script({"prefix-caching", "--tokenizer-mode", "bytes", "--num-prompts", "5",
                 "--input-length-range", "128:256", "--prefix-len", "100", "--repeat-count", "2"},
                "prefix_caching.txt");
}

TEST_F(offline_scripts, measure_the_prompts_of_a_file_in_a_range) {
  expect_script(
      {"prefix-caching", "--tokenizer-mode", "bytes", "--num-prompts", "5", "--input-length-range",
       "4:40", "--sort", "--dataset-path", fixture("datasets/sharegpt.json")},
      "prefix_caching_of_file.txt");
}

TEST_F(offline_scripts, measure_long_documents_in_each_order) {
  for (const char* mode : {"random", "tile", "interleave"})
    expect_script({"long-document-qa", "--document-length", "50", "--num-documents", "3",
                   "--repeat-mode", mode},
                  std::string("long_document_") + mode + ".txt");
}

TEST_F(offline_scripts, measure_requests_with_priorities) {
  expect_script({"prioritization", "--input-len", "32", "--output-len", "16", "--num-prompts", "20",
                 "--scheduling-policy", "priority"},
                "prioritization.txt");
}

TEST_F(offline_scripts, keep_their_requests_in_a_journal) {
  const std::string journal = where.path("run.journal");
  const finished end = inferbench({"long-document-qa", "--document-length", "5", "--num-documents",
                                   "3", "--backend", "reference-engine", "--journal", journal});
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(inferbench({"report", journal}).out,
              AllOf(HasSubstr("Successful requests:                     6 "),
                    HasSubstr("Total generated tokens:                  60 ")));
}

TEST_F(offline_scripts, run_from_a_file) {
  const finished end =
      inferbench({"run",
                  where.write("bench.toml",
                              "[long-document-qa]\ndocument-length = 5\n"
                              "num-documents = 2\nbackend = \"reference-engine\"\n"),
                  "--repeat-mode", "tile"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("\nRepeat mode:  tile\n------warm up------\nTime to execute "));
}

TEST_F(offline_scripts, have_the_status_of_upstream_for_wrong_arguments) {
  const auto refusal_of = [](const std::vector<std::string>& args) {
    const finished end = inferbench(args);
    return std::to_string(end.status) + ": " + end.err;
  };
  EXPECT_EQ(refusal_of({"prefix-caching", "--num-prompts", "3"}),
            "2: inferbench: --input-length-range: is required; give it, such as "
            "--input-length-range 128:256\n");
  EXPECT_EQ(refusal_of({"prefix-caching", "--num-prompts", "3", "--input-length-range", "9"}),
            "1: inferbench: --input-length-range: \"9\" is not MIN:MAX; write the shortest and the "
            "longest prompt in tokens, such as 128:256\n");
  EXPECT_EQ(refusal_of({"long-document-qa", "--repeat-mode", "all"}),
            "2: inferbench: --repeat-mode: \"all\" is not one of random, tile, interleave; choose "
            "one of them\n");
  EXPECT_EQ(refusal_of({"prioritization", "--backend", "hf", "--input-len", "5", "--output-len",
                        "5", "--num-prompts", "2"}),
            "1: inferbench: --backend: Unknown backend: hf; upstream's script has this name and no "
            "code for it; use another engine\n");
}

TEST_F(offline_scripts, give_priorities_to_the_scheduler_of_vllm) {
  const offline_box box;
  if (!offline_box::is_here()) GTEST_SKIP() << "there is no python3";
  const finished end =
      box.run({"prioritization", "--model", "m", "--input-len", "4", "--output-len", "5",
               "--num-prompts", "6", "--python-engine-show-output"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("priority: [1, 1, 0, 0, 1, 0]"));
  EXPECT_THAT(box.run({"long-document-qa", "--model", "m", "--document-length", "3",
                       "--python-engine-show-output"})
                  .err,
              Not(HasSubstr("priority")));
}

TEST_F(offline_scripts, fail_with_an_engine_that_has_no_priorities) {
  const offline_box box;
  if (!offline_box::is_here()) GTEST_SKIP() << "there is no python3";
  const finished end =
      box.run({"prioritization", "--backend", "sglang", "--model", "m", "--input-len", "4",
               "--output-len", "5", "--num-prompts", "6", "--detokenize"});
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.err, HasSubstr("the engine sglang takes no priorities"));
}

}  // namespace
}  // namespace inferbench::testing
