#include "structured/serve_words.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::structured {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> with_model(std::vector<std::string> words) {
  words.insert(words.begin(), {"--model", "org/m"});
  return words;
}

serve_command command(const std::vector<std::string>& words) {
  return serve_command_of(script_line(with_model(words)));
}

std::string name(const std::vector<std::string>& words) {
  return result_name(script_line(with_model(words)));
}

TEST(serve_words, without_flags_the_defaults_of_the_script_are_given) {
  const serve_command found = command({});
  EXPECT_THAT(found.words,
              ElementsAre("--dataset-name=structured-output", "--backend=vllm",
                          "--structured-output-dataset=json", "--model=org/m",
                          "--structured-output-len=128", "--structured-output-ratio=1.0",
                          "--scorer=structured-output", "--ready-check-timeout-sec=60",
                          "--reporter=structured-output"));
  EXPECT_THAT(found.warnings, IsEmpty());
}

TEST(serve_words, every_flag_of_the_script_reaches_serve) {
  EXPECT_THAT(
      command({"--backend",
               "b",
               "--base-url",
               "u",
               "--host",
               "h",
               "--port",
               "1",
               "--endpoint",
               "/e",
               "--dataset",
               "json-unique",
               "--json-schema-path",
               "s.json",
               "--max-concurrency",
               "2",
               "--tokenizer",
               "t",
               "--tokenizer-mode",
               "slow",
               "--num-prompts",
               "3",
               "--output-len",
               "4",
               "--request-rate",
               "5",
               "--burstiness",
               "6",
               "--seed",
               "7",
               "--trust-remote-code",
               "--disable-tqdm",
               "--profile",
               "--ignore-eos",
               "--percentile-metrics",
               "ttft",
               "--metric-percentiles",
               "50,99",
               "--goodput",
               "ttft:8",
               "e2el:9",
               "--structured-output-ratio",
               "0.5",
               "--random-prefix-len",
               "10",
               "--structure-type",
               "json"})
          .words,
      ElementsAre("--dataset-name=structured-output", "--backend=b", "--base-url=u", "--host=h",
                  "--port=1", "--endpoint=/e", "--structured-output-dataset=json-unique",
                  "--structured-output-schema-path=s.json", "--max-concurrency=2", "--model=org/m",
                  "--tokenizer=t", "--tokenizer-mode=slow", "--num-prompts=3",
                  "--structured-output-len=4", "--request-rate=5", "--burstiness=6", "--seed=7",
                  "--trust-remote-code", "--disable-tqdm", "--profile", "--ignore-eos",
                  "--percentile-metrics=ttft", "--metric-percentiles=50,99", "--goodput", "ttft:8",
                  "e2el:9", "--structured-output-ratio=0.5",
                  "--structured-output-random-prefix-len=10", "--scorer=structured-output",
                  "--ready-check-timeout-sec=60", "--reporter=structured-output"));
}

TEST(serve_words, no_structured_output_is_a_ratio_of_zero) {
  EXPECT_THAT(command({"--no-structured-output", "--structured-output-ratio", "0.5"}).words,
              Contains("--structured-output-ratio=0"));
}

TEST(serve_words, saved_results_are_the_file_of_the_reporter) {
  EXPECT_THAT(command({"--save-results"}).words,
              Contains("--reporter=structured-output=1.0so_vllm_infqps_m_json_1000_out128.txt"));
  const serve_command named =
      command({"--save-results", "--result-dir", "d", "--result-filename", "r=1.txt"});
  EXPECT_THAT(named.words, Contains("--reporter=structured-output=r=1.txt"));
  EXPECT_THAT(named.words, Contains("--result-dir=d"));
  EXPECT_THAT(command({"--save-results", "--result-filename", "-"}).words,
              Contains("--reporter=structured-output=./-"));
}

TEST(serve_words, a_place_without_saved_results_has_no_effect) {
  const serve_command found = command({"--result-dir", "d", "--result-filename", "f"});
  EXPECT_THAT(found.words, Not(Contains("--result-dir=d")));
  EXPECT_THAT(found.warnings, ElementsAre("--result-dir has no effect without --save-results",
                                          "--result-filename has no effect without "
                                          "--save-results"));
}

TEST(serve_words, words_of_the_user_come_last_and_replace_the_defaults) {
  const auto words =
      command({"--scorer", "exact-match", "--ready-check-timeout-sec=0", "--journal", "j"}).words;
  EXPECT_THAT(words, Not(Contains("--scorer=structured-output")));
  EXPECT_THAT(words, Not(Contains("--ready-check-timeout-sec=60")));
  EXPECT_THAT(
      std::vector(words.end() - 5, words.end()),
      ElementsAre("--scorer", "exact-match", "--ready-check-timeout-sec=0", "--journal", "j"));
}

TEST(serve_words, the_name_of_the_result_has_numbers_as_python_prints_them) {
  EXPECT_EQ(name({"--request-rate", "10", "--structured-output-ratio", ".5", "--num-prompts",
                  "1_000", "--output-len", "+64", "--dataset", "regex"}),
            "0.5so_vllm_10.0qps_m_regex_1000_out64.txt");
  EXPECT_EQ(name({"--no-structured-output", "--backend", "openai-chat", "--model", "a/b/c"}),
            "0so_openai-chat_infqps_c_json_1000_out128.txt");
}

TEST(serve_words, errors_name_the_flags_of_the_script) {
  EXPECT_EQ(command({}).names.own("--structured-output-len"), "--output-len");
  EXPECT_EQ(command({}).names.own("--structured-output-schema-path"), "--json-schema-path");
  EXPECT_EQ(command({}).names.own("--reporter"), "--reporter");
  EXPECT_EQ(command({"--save-results"}).names.own("--reporter"), "--save-results");
  EXPECT_EQ(command({"--save-results", "--result-filename", "f"}).names.own("--reporter"),
            "--result-filename");
  EXPECT_EQ(command({"--structured-output-len", "3"}).names.own("--structured-output-len"),
            "--structured-output-len")
      << "the user gave the flag of serve, which wins";
}

}  // namespace
}  // namespace inferbench::structured
