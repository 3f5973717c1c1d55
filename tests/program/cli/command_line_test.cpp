// Runs command lines as they occur in scripts for vllm bench serve.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string word; in >> word;)
    out.push_back(word);
  return out;
}

TEST(command_line, of_an_old_script_is_carried_out_with_notes) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  auto line = words_of(
      "serve --endpoint-type openai-chat --backend vllm --model m --tokenizer_mode bytes "
      "--num_prompt 4 --random-input 20 --random_output_len=3 --random-range-ratio .5 "
      "--presence-penalty -0.5 --temperature=-0 --extra-body.min_tokens 1K --extra-b.stop+ a,b "
      "--hf-split train --use-beam-search --skip-chat-template --disable-tqdm --seed 1 --seed 2 "
      "--header X-Key=s3cret --metadata a=1 --metadata b=2 c=3 --save-result --save-detailed");
  line.insert(line.end(), {"--base-url", server.url(), "--result-dir", where.path()});
  const finished end = inferbench(line);
  ASSERT_EQ(end.status, 0) << end.err;
  for (const char* note :
       {"--endpoint-type is an old spelling of --backend", "dataset hf is not in use",
        "--use-beam-search has no effect", "--skip-chat-template has no effect",
        "--seed is given more than once", "--metadata is given more than once"})
    EXPECT_THAT(end.err, HasSubstr(note));
  EXPECT_THAT(end.out, StartsWith("Command: inferbench serve --endpoint-type openai-chat "));
  EXPECT_THAT(end.out, HasSubstr(" --header 'X-Key=(cut)' "));
  EXPECT_THAT(end.out + end.err, Not(HasSubstr("s3cret")));
  const std::string path = where.only(".json");
  const auto json = base::parse_json(read(path), path);
  EXPECT_EQ(base::text_of(base::find(json, "backend")), "openai-chat");
  EXPECT_EQ(json["completed"].GetInt(), 4);
  EXPECT_FALSE(json.HasMember("a"));
  EXPECT_EQ(base::text_of(base::find(json, "c")), "3");
  EXPECT_THAT(read(path), Not(HasSubstr("s3cret")));
}

TEST(command_line, that_was_printed_can_be_given_again) {
  const auto line = words_of(
      "serve --print-config --model m --tokenizer-mode bytes --request-id-prefix r- "
      "--goodput ttft:5 --extra-body.a 1 --ramp-up-strategy linear --ramp-up-start-rps 1 "
      "--ramp-up-end-rps 5 --lora-modules x y --plot-timeline --probe-request-rate 2");
  const folder where;
  const finished printed = inferbench(line);
  ASSERT_EQ(printed.status, 0) << printed.err;
  const finished again =
      inferbench({"run", where.write("job.toml", printed.out), "--print-config"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(without_places(again.out), without_places(printed.out));
  EXPECT_THAT(printed.out, HasSubstr("[[reporter]]\nuse = \"timeline\"\n"));
}

TEST(command_line, a_range_ratio_is_what_python_takes_for_a_number_or_json) {
  for (const char* ratio : {".5", "5e-1", "0_0.5", "+0.5", R"({"input":0.5,"output":0})"}) {
    const finished end =
        inferbench({"dataset", "show", "--tokenizer-mode", "bytes", "--num-prompts", "3",
                    "--random-input-len", "20", "--random-range-ratio", ratio});
    EXPECT_EQ(end.status, 0) << ratio << " " << end.err;
  }
}

TEST(command_line, a_dataset_is_shown_as_the_requests_of_a_backend) {
  const std::vector<std::string> show{"dataset",
                                      "show",
                                      "--tokenizer-mode",
                                      "bytes",
                                      "--num-prompts",
                                      "2",
                                      "--random-input-len",
                                      "5",
                                      "--random-output-len",
                                      "7"};
  const auto shown = [&](const std::vector<std::string>& more) {
    std::vector<std::string> line = show;
    line.insert(line.end(), more.begin(), more.end());
    return inferbench(line);
  };
  const finished chat =
      shown({"--backend", "openai-chat", "--endpoint", "/v1/chat/completions", "--model", "m",
             "--temperature", "0", "--extra-body", R"({"user": "u"})"});
  ASSERT_EQ(chat.status, 0) << chat.err;
  EXPECT_EQ(std::ranges::count(chat.out, '\n'), 2);
  for (const char* part : {R"("method": "POST", "target": "/v1/chat/completions", "body": {)",
                           R"("model":"m")", R"("max_completion_tokens":7)", R"("user":"u")"}) {
    std::string without_blanks = chat.out;
    std::string wanted = part;
    for (std::string* each : {&without_blanks, &wanted})
      std::erase(*each, ' ');
    EXPECT_THAT(without_blanks, HasSubstr(wanted));
  }
  const finished nameless = shown({"--backend=openai"});
  EXPECT_EQ(nameless.status, 2);
  EXPECT_THAT(nameless.err, HasSubstr("no model is given, and the server is not asked for one; "
                                      "name it with --model"));
}

}  // namespace
}  // namespace inferbench::testing
