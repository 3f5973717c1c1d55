// Runs the program against the simulator: a built-in protocol and its description by a template
// must give the same records.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

/// The result of a run. All runs have the same requests; `more` has further flags.
rapidjson::Document result_of(const std::string& url, const std::vector<std::string>& more) {
  const folder where;
  std::vector<std::string> line{"serve",
                                "--base-url",
                                url,
                                "--model",
                                "m",
                                "--tokenizer-mode",
                                "bytes",
                                "--temperature",
                                "0",
                                "--num-prompts",
                                "12",
                                "--random-input-len",
                                "40",
                                "--random-output-len",
                                "9",
                                "--random-range-ratio",
                                "0.5",
                                "--request-id-prefix",
                                "r-",
                                "--max-concurrency",
                                "4",
                                "--save-result",
                                "--save-detailed",
                                "--result-dir",
                                where.path()};
  line.insert(line.end(), more.begin(), more.end());
  const finished run = inferbench(line);
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string path = where.only(".json");
  return base::parse_json(read(path), path);
}

std::string example(const std::string& name) {
  return INFERBENCH_SOURCE "/sdk/examples/template-backends/" + name;
}

void expect_the_same(const rapidjson::Document& one, const rapidjson::Document& other) {
  for (const char* key : {"completed", "failed", "total_input_tokens", "total_output_tokens",
                          "input_lens", "output_lens", "generated_texts", "errors"}) {
    SCOPED_TRACE(key);
    ASSERT_TRUE(one.HasMember(key) && other.HasMember(key));
    EXPECT_TRUE(one[key] == other[key]);
  }
  EXPECT_EQ(one["completed"].GetInt(), 12);
  ASSERT_EQ(one["itls"].Size(), other["itls"].Size());
  for (rapidjson::SizeType i = 0; i < one["itls"].Size(); ++i)
    EXPECT_EQ(one["itls"][i].Size(), other["itls"][i].Size()) << i;
}

TEST(template_live, completions_are_the_same_as_with_the_built_in_backend) {
  const simulator server({"--ttft", "1ms", "--itl", "0"});
  const auto own = result_of(server.url(), {"--backend", "openai"});
  const auto described = result_of(server.url(), {"--backend", "template", "--template-file",
                                                  example("openai-completions.toml")});
  expect_the_same(own, described);
  EXPECT_GT(described["generated_texts"][0].GetStringLength(), 0U);
}

TEST(template_live, chats_are_the_same_as_with_the_built_in_backend) {
  const simulator server({"--ttft", "1ms", "--itl", "0"});
  const auto own = result_of(server.url(), {"--backend", "openai-chat"});
  const auto described = result_of(
      server.url(), {"--backend", "template", "--template-file", example("openai-chat.toml")});
  expect_the_same(own, described);
}

TEST(template_live, whole_answers_are_the_same_as_with_the_built_in_backend) {
  const simulator server({"--ttft", "1ms", "--itl", "0"});
  const auto own =
      result_of(server.url(), {"--backend", "openai", "--extra-body", R"({"stream": false})"});
  const auto described =
      result_of(server.url(), {"--backend", "template", "--template-file",
                               example("openai-completions.toml"), "--template-whole"});
  expect_the_same(own, described);
}

TEST(template_live, an_error_in_the_file_names_its_line) {
  const folder where;
  const std::string file =
      where.write("mine.toml", "[request]\npath = \"/a\"\n[stream]\ntxt = \"t\"\n");
  const finished run =
      inferbench({"serve", "--base-url", "http://127.0.0.1:1", "--model", "m", "--tokenizer-mode",
                  "bytes", "--backend", "template", "--template-file", file});
  EXPECT_NE(run.status, 0);
  EXPECT_THAT(run.err, ::testing::HasSubstr("mine.toml:4: [stream] has no key txt; did you mean "
                                            "text?"));
}

}  // namespace
}  // namespace inferbench::testing
