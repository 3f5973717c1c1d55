// If output is lost, the exit status and one line on standard error report it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr const char* remedy = "; a part of the output is missing: send it to another place\n";

std::string lost(const std::string& why) {
  return "inferbench: cannot write to standard output: " + why + remedy;
}

/// All commands that print something without a server.
const std::vector<std::vector<std::string>>& commands() {
  static const std::vector<std::vector<std::string>> all{
      {"--help"},
      {"--version"},
      {"serve", "--help"},
      {"serve", "--backend", "openai", "--base-url", "http://127.0.0.1:1", "--print-config"},
      {"calibrate", "--help"},
      {"run", "--help"},
      {"simulate", "--help"},
      {"report", "--help"},
      {"dataset", "--help"},
      {"dataset", "show", "--help"},
      {"dataset", "show", "--tokenizer-mode", "bytes", "--dataset-name", "sharegpt",
       "--dataset-path", fixture("datasets/sharegpt.json"), "--num-prompts", "5"},
      {"tokenizer", "--help"},
      {"tokenizer", "info", "--tokenizer-mode", "bytes"},
      {"plugin", "--help"},
      {"plugin", "list"},
      {"plugin", "show", "openai"},
      {"plugin", "check", "--list"},
      {"docs", "configuration"}};
  return all;
}

TEST(output, to_a_full_disk_is_reported_by_every_command) {
  for (const auto& words : commands()) {
    const finished end = inferbench(words, in_shell("exec \"$@\" >/dev/full"));
    EXPECT_EQ(end.status, 1) << words[0] << " " << words.back();
    EXPECT_THAT(end.err, EndsWith(lost("No space left on device"))) << words[0];
  }
}

TEST(output, that_is_closed_is_reported_by_every_command) {
  for (const auto& words : commands()) {
    const finished end = inferbench(words, in_shell("exec \"$@\" >&-"));
    EXPECT_EQ(end.status, 1) << words[0] << " " << words.back();
    EXPECT_THAT(end.err, EndsWith(lost("Bad file descriptor"))) << words[0];
  }
}

TEST(output, of_errors_that_cannot_be_printed_does_not_change_the_exit_status) {
  EXPECT_EQ(inferbench({"serve", "--nosuch"}, in_shell("exec \"$@\" 2>/dev/full")).status, 2);
  EXPECT_EQ(inferbench({"--help"}, in_shell("exec \"$@\" >/dev/full 2>/dev/full")).status, 1);
  EXPECT_EQ(inferbench({"--help"}, in_shell("exec \"$@\" >&- 2>&-")).status, 1);
}

TEST(output, of_the_tokenizer_ends_with_the_reader_of_its_answers) {
  const finished end =
      inferbench({"tokenizer", "count", "--tokenizer-mode", "bytes"},
                 in_shell("yes '{\"text\": \"abc\"}' | { \"$@\"; echo $? >&2; } | head -n 1"));
  EXPECT_EQ(end.out, "{\"count\": 3}\n");
  EXPECT_THAT(end.err, HasSubstr(lost("Broken pipe") + "1\n"));
}

TEST(output, of_dataset_show_ends_with_the_reader_of_its_samples) {
  // Printing all samples would take a day.
  const finished end = inferbench(
      {"dataset", "show", "--tokenizer-mode", "bytes", "--dataset-name", "sharegpt",
       "--dataset-path", fixture("datasets/sharegpt.json"), "--num-prompts", "2000000000"},
      in_shell("{ \"$@\"; echo $? >&2; } | head -n 2 | wc -l"));
  EXPECT_EQ(end.out, "2\n");
  EXPECT_THAT(end.err, EndsWith(lost("Broken pipe") + "1\n"));
}

TEST(output, that_is_lost_costs_a_run_neither_result_nor_journal) {
  for (const char* where_to : {"/dev/full", "&-"}) {
    const folder where;
    simulator server({"--ttft", "1ms", "--itl", "0.2ms"});
    const finished run = inferbench(
        {"serve", "--backend", "openai", "--base-url", server.url(), "--tokenizer-mode", "bytes",
         "--dataset-name", "sharegpt", "--dataset-path", fixture("datasets/sharegpt.json"),
         "--num-prompts", "5", "--save-result", "--result-dir", where.path()},
        in_shell(std::string("exec \"$@\" >") + where_to));
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("inferbench: cannot write to standard output: "));
    const std::string result = read(where.only(".json"));
    EXPECT_THAT(result, HasSubstr("\"completed\": 5"));
    const std::string journal = where.only(".journal");

    const folder again;
    const finished report = inferbench({"report", journal, "--reporter", "console", "--reporter",
                                        "json", "--result-dir", again.path()},
                                       in_shell(std::string("exec \"$@\" >") + where_to));
    EXPECT_EQ(report.status, 1) << report.err;
    EXPECT_THAT(report.err, HasSubstr("inferbench: cannot write to standard output: "));
    EXPECT_THAT(read(again.only(".json")), HasSubstr("\"completed\": 5"));
  }
}

TEST(output, of_the_simulator_that_is_lost_changes_its_exit_status) {
  simulator server({"--ground-truth", "/dev/full", "--ttft", "1ms", "--itl", "0.2ms"});
  const finished run =
      inferbench({"serve", "--backend", "openai", "--base-url", server.url(), "--tokenizer-mode",
                  "bytes", "--dataset-name", "sharegpt", "--dataset-path",
                  fixture("datasets/sharegpt.json"), "--num-prompts", "1"});
  EXPECT_EQ(run.status, 0) << run.err;
  server.stop(1);
}

TEST(input, that_cannot_be_read_is_reported_by_the_tokenizer) {
  const finished end =
      inferbench({"tokenizer", "count", "--tokenizer-mode", "bytes"}, in_shell("exec \"$@\" <&-"));
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.err, EndsWith("inferbench: standard input cannot be read to its end; give it "
                                "lines of JSON\n"));
}

}  // namespace
}  // namespace inferbench::testing
