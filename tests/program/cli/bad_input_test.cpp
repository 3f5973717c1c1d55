// Tests user errors: each gives one line on standard error and the exit status 1 or 2
// (cli/commands.hpp), and no request is sent. tests/fixtures/cli/bad_input.txt contains the
// commands, and below each command its status and its line.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "program/cli/process.hpp"
#include "support/golden.hpp"

namespace inferbench::testing {
namespace {

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string word; in >> word;)
    out.push_back(replaced(word, "{fixtures}", INFERBENCH_FIXTURES));
  return out;
}

/// The last line, which has the error; warnings may come before it.
std::string last_line(const std::string& text) {
  if (text.empty()) return {};
  const auto start = text.rfind('\n', text.size() - 2);
  return text.substr(start == std::string::npos ? 0 : start + 1);
}

TEST(bad_input, gets_one_clear_line_and_an_exit_status) {
  const std::string golden = fixture("cli/bad_input.txt");
  std::ifstream cases(golden);
  std::string found;
  std::size_t count = 0;
  for (std::string command; std::getline(cases, command);) {
    if (!command.starts_with("$ ")) continue;
    const finished end = inferbench(words(command.substr(2)));
    EXPECT_NE(end.status, 0) << command;
    found += command + "\n[" + std::to_string(end.status) + "] " +
             replaced(last_line(end.err), INFERBENCH_FIXTURES, "{fixtures}");
    ++count;
  }
  support::expect_golden(found, golden);
  EXPECT_GE(count, 20U);
}

TEST(bad_input, an_unknown_plugin_is_reported_with_every_path_tried) {
  const folder empty;
  const finished end = inferbench({"serve", "--backend", "openia", "--plugin-dir", empty.path()});
  EXPECT_EQ(end.status, 2);
  EXPECT_NE(end.err.find(empty.path("backends/openia.so")), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("/backends/openia.so, "), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("did you mean openai?"), std::string::npos) << end.err;
}

TEST(bad_input, a_result_that_cannot_be_written_is_known_before_the_run) {
  const folder where;
  const std::string file = where.write("file", "");
  simulator server;
  const finished end =
      inferbench({"serve", "--base-url", server.url(), "--model", "m", "--tokenizer-mode", "bytes",
                  "--num-prompts", "1", "--save-result", "--journal", "none", "--result-dir",
                  file + "/below"});
  EXPECT_EQ(end.status, 1) << end.err;
  EXPECT_EQ(end.err.find("is dropped"), std::string::npos) << end.err;
  EXPECT_EQ(end.out.find("Starting main benchmark run"), std::string::npos) << end.out;
}

}  // namespace
}  // namespace inferbench::testing
