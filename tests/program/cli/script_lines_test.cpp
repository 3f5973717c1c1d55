// Runs the lines of the table in docs/vllm-compatibility.md that maps the scripts of vLLM's suite
// to our commands.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/process.hpp"
#include "sweep/command.hpp"

namespace inferbench::testing {
namespace {

using ::testing::SizeIs;
namespace fs = std::filesystem;

struct script_line {
  std::string script, ours;
};

/// The rows with two commands in the section about the scripts.
std::vector<script_line> script_lines() {
  std::string text = read(INFERBENCH_SOURCE "/docs/vllm-compatibility.md");
  text.erase(0, text.find("\n## The scripts of the suite\n") + 1);
  text.erase(text.find("\n## "));
  std::vector<script_line> out;
  for (std::size_t at = 0; (at = text.find("\n| `", at)) != std::string::npos; ++at) {
    const std::string row = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    const auto second = row.find("` | `inferbench ");
    if (second == std::string::npos) continue;
    out.push_back({row.substr(3, second - 3), row.substr(second + 5, row.rfind('`') - second - 5)});
  }
  return out;
}

/// The flags of a script without its name.
std::string flags_of(const std::string& line) {
  const auto blank = line.find(".py ");
  return blank == std::string::npos ? std::string() : line.substr(blank + 4);
}

class script_table : public ::testing::Test {
 protected:
  script_table() {
    for (const char* name : {"conversations.json", "sharegpt.json"})
      fs::copy_file(fixture("datasets/" + std::string(name)), where_.path(name));
    where_.write("sharegpt_parts.json",
                 R"([{"id": "a_0", "conversations": [{"from": "human", "value": "Hi"},)"
                 R"( {"from": "gpt", "value": "Hello"}]}])");
    where_.write("runs.json", "[]");
    // The model of multi-turn is the folder of a tokenizer.
    fs::create_directory(where_.path("m"));
    where_.write("m/tokenizer.json", R"({"model": {"type": "WordLevel", "unk_token": "[UNK]", )"
                                     R"("vocab": {"[UNK]": 0}}, )"
                                     R"("pre_tokenizer": {"type": "Whitespace"}})");
  }

  /// Adds the server or the engine and the tokenizer that the line needs here. A tuning starts
  /// servers and takes minutes; tune_test has its steps.
  std::vector<std::string> here(std::vector<std::string> words) const {
    const std::string command = words[1];
    if (command == "tune") return {"tune", "--help"};
    words.erase(words.begin());
    for (std::string& each : words)
      if (each.ends_with(".json") || (command == "multi-turn" && each == "m"))
        each = where_.path(each);
    const auto add = [&](std::vector<std::string> more) {
      words.insert(words.end(), more.begin(), more.end());
    };
    if (command == "structured-output")
      add({"--base-url", server_.url(), "--tokenizer-mode", "bytes", "--result-dir",
           where_.path("")});
    else if (command == "multi-turn" && words[1] != "convert")
      add({"-u", server_.url()});
    else if (command != "multi-turn")
      add({"--backend", "reference-engine", "--tokenizer-mode", "bytes"});
    return words;
  }

  const folder where_;
  simulator server_{{"--ttft", "1ms", "--itl", "0"}};
};

TEST_F(script_table, each_line_runs) {
  const std::vector<script_line> lines = script_lines();
  ASSERT_THAT(lines, SizeIs(13));
  for (const script_line& each : lines) {
    const finished run = inferbench(here(sweep::split_words(each.ours, "the table")));
    EXPECT_EQ(run.status, 0) << each.ours << "\n" << run.err;
  }
}

TEST_F(script_table, each_line_has_the_flags_of_its_script) {
  for (const script_line& each : script_lines()) {
    const std::string flags = flags_of(each.script);
    EXPECT_THAT(each.ours, ::testing::EndsWith(flags));
  }
}

}  // namespace
}  // namespace inferbench::testing
