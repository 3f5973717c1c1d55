// Every backend in a run against the simulator and in a calibration: the simulator knows the
// protocol of each.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct backend_run {
  std::string name;
  std::vector<std::string> dataset = {"--dataset-name",      "random", "--random-input-len", "20",
                                      "--random-output-len", "4"};
  std::vector<std::string> flags = {};
};

std::string example(const char* name) {
  return INFERBENCH_SOURCE "/sdk/examples/template-backends/" + std::string(name);
}

const std::vector<std::string> sounds{"--dataset-name", SOUNDS_DATASET};
const std::vector<std::string> pairs{"--dataset-name", "random-rerank", "--random-input-len", "40"};

const std::vector<backend_run> backend_runs{
    {"openai"},
    {"vllm"},
    {"openai-chat"},
    {"openai-responses"},
    {"openai-audio", sounds},
    {"openai-embeddings"},
    {"openai-embeddings-chat"},
    {"openai-embeddings-clip"},
    {"openai-embeddings-vlm2vec"},
    {"infinity-embeddings"},
    {"infinity-embeddings-clip"},
    {"vllm-pooling"},
    {"vllm-rerank", pairs},
    {"template",
     {"--dataset-name", "random", "--random-input-len", "20", "--random-output-len", "4"},
     {"--template-file", example("openai-chat.toml")}},
};

/// The command `command` with three requests of the run `with`; its result is saved in `where`.
std::vector<std::string> words(const char* command, const backend_run& with, const folder& where) {
  std::vector<std::string> out{
      command,       "--backend", with.name, "--tokenizer-mode", "bytes",        "--num-prompts",
      "3",           "--model",   "m",       "--save-result",    "--result-dir", where.path(),
      "--ignore-eos"};
  out.insert(out.end(), with.dataset.begin(), with.dataset.end());
  out.insert(out.end(), with.flags.begin(), with.flags.end());
  return out;
}

/// The only result file in `where`.
rapidjson::Document saved_by_backend(const folder& where) {
  const std::string path = where.only(".json");
  return base::parse_json(read(path), path);
}

std::string name_of_run(const ::testing::TestParamInfo<backend_run>& of) {
  std::string out = of.param.name;
  std::ranges::replace(out, '-', '_');
  return out;
}

class backend : public ::testing::TestWithParam<backend_run> {};
INSTANTIATE_TEST_SUITE_P(every, backend, ::testing::ValuesIn(backend_runs), name_of_run);

TEST_P(backend, makes_a_run_against_the_simulator_without_a_failed_request) {
  const folder where;
  const simulator server({"--ttft", "1ms", "--itl", "0"});
  std::vector<std::string> line = words("serve", GetParam(), where);
  line.insert(line.end(), {"--base-url", server.url()});
  const finished end = inferbench(line);
  ASSERT_EQ(end.status, 0) << end.err;
  const auto result = saved_by_backend(where);
  EXPECT_EQ(result["completed"].GetInt(), 3);
  EXPECT_EQ(result["failed"].GetInt(), 0) << end.err;
}

TEST_P(backend, can_be_calibrated) {
  const folder where;
  std::vector<std::string> line = words("calibrate", GetParam(), where);
  line.insert(line.end(), {"--ttft", "1ms", "--itl", "1ms"});
  const finished end = inferbench(line);
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err, Not(HasSubstr("does not speak")));
  const auto result = saved_by_backend(where);
  EXPECT_EQ(base::text_of(base::find(result, "backend")), GetParam().name);
  EXPECT_EQ(result["streams"].GetInt(), 3);
  EXPECT_EQ(result["failed"].GetInt(), 0);
  EXPECT_EQ(result["mismatched"].GetInt(), 0);
  const bool pooling = result["ttft_error_ms"].IsNull();
  EXPECT_EQ(result["events"].GetInt(), pooling ? 3 : 12);
  EXPECT_TRUE(result["e2el_error_ms"]["p99"].IsDouble());
}

/// The names in the section `backends` of `plugin list`: lines "    NAME VERSION SUMMARY".
std::set<std::string> listed_backends() {
  std::istringstream lines(inferbench({"plugin", "list"}).out);
  std::set<std::string> out;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' '))
      inside = line == "backends";
    else if (inside && line.starts_with("    "))
      out.insert(line.substr(4, line.find(' ', 4) - 4));
  }
  return out;
}

TEST(backends, of_the_build_are_all_tried_here) {
  // Engines have tests of their own; llama-cpp is not in every build.
  std::set<std::string> tried{"python-engine", "reference-engine"};
  for (const backend_run& run : backend_runs)
    tried.insert(run.name);
  std::set<std::string> listed = listed_backends();
  listed.erase("llama-cpp");
  EXPECT_EQ(tried, listed);
}

TEST(backends, that_cannot_load_their_engine_end_the_run_before_the_first_request) {
  const finished end =
      inferbench({"serve", "--backend", "python-engine", "--python", "/no/such/python",
                  "--dataset-name", "random", "--num-prompts", "2", "--tokenizer-mode", "bytes"});
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.err,
              HasSubstr("engine python-engine: load: cannot start /no/such/python: No such file"));
  EXPECT_THAT(end.out, Not(HasSubstr("Serving Benchmark Result")));
}

TEST(backends, with_a_path_of_their_own_are_replaced_if_the_simulator_does_not_serve_it) {
  const folder where;
  const std::string file = where.write("unknown.toml", R"([request]
path = "/generate_stream"
[request.body]
inputs = "{{prompt}}"
[stream]
text = "token.text"
)");
  const backend_run unknown{"template", backend_runs.front().dataset, {"--template-file", file}};
  std::vector<std::string> line = words("calibrate", unknown, where);
  line.insert(line.end(), {"--ttft", "1ms", "--itl", "1ms"});
  const finished end = inferbench(line);
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err,
              HasSubstr("calibration: the simulator does not speak template; openai instead"));
  EXPECT_EQ(base::text_of(base::find(saved_by_backend(where), "backend")), "openai");
}

}  // namespace
}  // namespace inferbench::testing
