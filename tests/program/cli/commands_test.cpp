#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    out.push_back(line);
  return out;
}

TEST(commands, are_listed_by_help) {
  const finished help = inferbench({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.out, read(fixture("cli/usage.txt")));
  const finished nothing = inferbench({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.err, help.out);
}

TEST(commands, version_is_one_line) {
  EXPECT_EQ(inferbench({"--version"}).out, "inferbench " INFERBENCH_VERSION "\n");
}

TEST(commands, an_unknown_one_is_refused_with_the_nearest) {
  const finished end = inferbench({"sevre"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.err, "inferbench: unknown command sevre; did you mean serve?\n");
}

TEST(commands, supervise_is_for_the_program_itself_and_not_in_the_help) {
  const finished end = inferbench({"supervise", "true"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.err,
            "inferbench: the command supervise is for inferbench itself, which starts it\n");
  EXPECT_THAT(inferbench({"--help"}).out, ::testing::Not(HasSubstr("supervise")));
}

TEST(commands, each_has_a_help_of_its_own) {
  for (const char* name :
       {"serve", "calibrate", "run", "sweep", "simulate", "report", "dataset", "plugin", "docs"}) {
    const finished end = inferbench({name, "--help"});
    EXPECT_EQ(end.status, 0) << name;
    EXPECT_THAT(end.out, HasSubstr("inferbench " + std::string(name))) << name;
    EXPECT_EQ(end.err, "") << name;
  }
}

TEST(commands, print_their_help_after_any_other_words) {
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{{"plugin", "show", "openai", "--help"},
                                             {"plugin", "list", "-h"},
                                             {"plugin", "nonsense", "--help"},
                                             {"plugin", "check", "openai", "--help"},
                                             {"plugin", "new", "backend", "acme", "--help"},
                                             {"docs", "configuration", "--help"},
                                             {"dataset", "show", "words", "--help"},
                                             {"dataset", "list", "--help"},
                                             {"tokenizer", "info", "--help"},
                                             {"tokenizer", "nonsense", "--help=all"},
                                             {"simulate", "words", "--help"},
                                             {"report", "a", "b", "--help"},
                                             {"run", "a", "b", "--help"},
                                             {"sweep", "nonsense", "--help"},
                                             {"sweep", "serve", "--dry-run", "--help"},
                                             {"calibrate", "words", "--help"},
                                             {"serve", "words", "--unknown", "--help"}}) {
    const finished end = inferbench(line);
    EXPECT_EQ(end.status, 0) << line[0] << " " << line[1];
    EXPECT_THAT(end.out, HasSubstr("sage: inferbench " + line[0])) << line[0] << " " << line[1];
    EXPECT_EQ(end.err, "") << line[0] << " " << line[1];
  }
}

TEST(commands, may_be_called_as_upstreams) {
  EXPECT_EQ(inferbench({"bench", "--help"}).out, inferbench({"--help"}).out);
  EXPECT_EQ(inferbench({"bench", "serve", "--help"}).out, inferbench({"serve", "--help"}).out);
  EXPECT_EQ(inferbench({"bench", "docs"}).status, 2);
  EXPECT_EQ(inferbench({"bench", "latency", "--help"}).out, inferbench({"latency", "--help"}).out);
  const finished end = inferbench({"bench", "iterations"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.err, HasSubstr("unknown command iterations"));
  EXPECT_EQ(inferbench({"bench"}).status, 2);
}

TEST(help, takes_a_topic_with_either_dash) {
  const finished end = inferbench({"serve", "--help=ramp_up"});
  EXPECT_THAT(end.out, HasSubstr("--ramp-up-strategy"));
  EXPECT_EQ(end.out, inferbench({"serve", "--help=ramp-up"}).out);
  EXPECT_THAT(inferbench({"serve", "--help=dataset timed-trace"}).out,
              HasSubstr("--timed-trace-chunk-hash-size"));
}

TEST(plugin_list, shows_every_plugin_of_the_build) {
  const finished end = inferbench({"plugin", "list"});
  EXPECT_EQ(end.status, 0) << end.out;
  for (const char* name : {"backends\n", "  openai ", "  openai-chat ", "  vllm ", "datasets\n",
                           "  random ", "  sharegpt ", "reporters\n", "  console ", "  json ",
                           "tokenizers\n", "  bytes ", "  server "})
    EXPECT_THAT(end.out, HasSubstr(name));
  EXPECT_THAT(end.out, HasSubstr("the same as openai"));
}

TEST(plugin_show, lists_options_with_their_flags) {
  const finished end = inferbench({"plugin", "show", "random"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("dataset random "));
  EXPECT_THAT(end.out, HasSubstr("input-len (flag --random-input-len; text, default 1024)"));
  EXPECT_THAT(end.out, HasSubstr("offers      inferbench.dataset/1"));
  EXPECT_THAT(end.out, HasSubstr("use         --dataset-name random, or in TOML [dataset] "
                                 "use = \"random\"\n"));
}

TEST(plugin_show, takes_a_path) {
  const finished end =
      inferbench({"plugin", "show", INFERBENCH_PLUGIN_FOLDER "/backends/openai.so"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("backend openai "));
  EXPECT_THAT(end.out, HasSubstr("backend openai-chat "));
  EXPECT_THAT(end.out, HasSubstr("use         --backend " INFERBENCH_PLUGIN_FOLDER
                                 "/backends/openai.so:openai-chat, or"));
}

TEST(plugin_show, names_the_command_that_takes_a_reporters_flags) {
  const finished end = inferbench({"plugin", "show", "json"});
  EXPECT_THAT(end.out, HasSubstr("use         --reporter json, or in TOML [[reporter]] use = "
                                 "\"json\"\n"));
}

TEST(help, survives_a_plugin_that_crashes_when_it_is_looked_at) {
  const finished end = inferbench({"serve", "--backend", CRASHES_AT_ONCE, "--help=all"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("--num-prompts"));
}

TEST(help, knows_a_plugin_that_is_given_by_its_path) {
  const finished end = inferbench({"serve", "--backend", CRASHING_BACKEND, "--help=all"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("--crashing-how"));
}

TEST(plugin_check, takes_a_folder_of_transcripts_that_is_there) {
  const finished end = inferbench({"plugin", "check", "openai", "--transcripts", "/nowhere/t"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.err, HasSubstr("--transcripts takes a folder, and there is none at /nowhere/t"));
}

TEST(plugin_show, names_the_nearest_of_an_unknown_one) {
  const finished end = inferbench({"plugin", "show", "sharegtp"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.err, "inferbench: no plugin sharegtp; did you mean sharegpt?\n");
}

TEST(dataset_show, prints_a_json_line_for_each_sample) {
  const std::vector<std::string> flags = {"dataset",
                                          "show",
                                          "--dataset-name",
                                          "sharegpt",
                                          "--dataset-path",
                                          fixture("datasets/sharegpt.json"),
                                          "--tokenizer-mode",
                                          "bytes",
                                          "--num-prompts",
                                          "12",
                                          "--request-id-prefix",
                                          "r-"};
  const finished end = inferbench(flags);
  ASSERT_EQ(end.status, 0) << end.err;
  const auto rows = lines(end.out);
  ASSERT_EQ(rows.size(), 12U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = base::parse_json(rows[i], "row");
    EXPECT_EQ(base::text_of(base::find(row, "request_id")), "r-" + std::to_string(i));
    EXPECT_EQ(row["prompt_len"].GetUint64(), base::text_of(base::find(row, "prompt")).size());
    EXPECT_GE(row["expected_output_len"].GetInt(), 4);
    EXPECT_TRUE(row.HasMember("multi_modal_data"));
  }
  EXPECT_EQ(inferbench(flags).out, end.out);
  auto seeded = flags;
  seeded.insert(seeded.end(), {"--seed", "1"});
  EXPECT_NE(inferbench(seeded).out, end.out);
}

TEST(dataset_show, prints_a_sample_with_line_breaks_in_its_json_as_one_line) {
  const support::temporary_folder files;
  files.write("samples.json",
              R"([{"shape": "text", "prompt": [{"kind": "text", "data": "a"}], "input_tokens": 1,
                   "overrides": "{\"seed\":\r\n7}"}])");
  const finished end =
      inferbench({"dataset", "show", "--tokenizer-mode", "bytes", "--dataset-name", SAMPLES_DATASET,
                  "--dataset-path", files.path("samples.json"), "--num-prompts", "1"});
  ASSERT_EQ(end.status, 0) << end.err;
  const auto rows = lines(end.out);
  ASSERT_EQ(rows.size(), 1U) << end.out;
  EXPECT_EQ(base::parse_json(rows[0], "row")["request_overrides"]["seed"].GetInt(), 7);
}

TEST(dataset_show, ends_with_an_error_at_json_of_the_dataset_that_is_not_json) {
  struct fault {
    const char* row;
    const char* says;
  };
  for (const fault& wrong :
       {fault{R"({"shape": "chat", "messages": [{"role": "user", "json": "{not json"}]})",
              ", row 2: a message is not a JSON object: {not json"},
        fault{R"({"shape": "chat", "messages": [{"role": "user", "json": "[1]"}]})",
              ", row 2: a message is not a JSON object: [1]"},
        fault{R"({"shape": "parts", "prompt": [{"kind": "json", "data": "{"}]})",
              ", row 2: a part of kind IFB_PART_JSON is not JSON: {"},
        fault{R"({"shape": "text", "prompt": [{"kind": "text", "data": "a"}],
                  "overrides": "{nope"})",
              ", row 2: overrides are not a JSON object: {nope"}}) {
    const support::temporary_folder files;
    files.write("samples.json",
                R"([{"shape": "text", "prompt": [{"kind": "text", "data": "a"}]},)" +
                    std::string(wrong.row) + "]");
    const finished end = inferbench({"dataset", "show", "--tokenizer-mode", "bytes",
                                     "--dataset-name", SAMPLES_DATASET, "--dataset-path",
                                     files.path("samples.json"), "--num-prompts", "2"});
    EXPECT_EQ(end.status, 2) << end.out;
    EXPECT_THAT(end.err, HasSubstr("dataset samples" + std::string(wrong.says)));
    EXPECT_EQ(lines(end.out).size(), 1U) << "only the first row is shown: " << end.out;
  }
}

}  // namespace
}  // namespace inferbench::testing
