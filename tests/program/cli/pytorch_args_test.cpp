// The member `args` of the result file for PyTorch's benchmark dashboard, from real command lines.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "support/golden.hpp"

namespace inferbench::testing {
namespace {

/// Requests the file through the same environment variable as upstream.
class pytorch_args : public ::testing::Test {
 protected:
  pytorch_args() { ::setenv(variable, "1", 1); }
  pytorch_args(const pytorch_args&) = delete;
  pytorch_args& operator=(const pytorch_args&) = delete;
  ~pytorch_args() override { ::unsetenv(variable); }

  /// The args of a run with result r.json, one per line, without values that differ between runs.
  std::string args_of(std::vector<std::string> flags) {
    flags.insert(flags.end(), {"--base-url", server.url(), "--result-dir", where.path(),
                               "--result-filename", "r.json", "--save-result"});
    const finished run = inferbench(flags);
    EXPECT_EQ(run.status, 0) << run.err;
    return lines();
  }

  std::string lines() const {
    const std::string path = where.path("r.pytorch.json");
    const auto records = base::parse_json(read(path), path);
    std::string out;
    for (const auto& arg : records[0]["benchmark"]["extra_info"]["args"].GetObject())
      out += std::string(base::text_of(&arg.name)) + ": " + base::to_text(arg.value) + "\n";
    return replaced(replaced(out, server.url(), "URL"), where.path(), "FOLDER");
  }

  static constexpr const char* variable = "SAVE_TO_PYTORCH_BENCHMARK_FORMAT";
  const folder where;
  const simulator server{{"--ttft", "0", "--itl", "0"}};
};

TEST_F(pytorch_args, of_a_plain_run_are_all_that_upstreams_parser_has) {
  const std::string found = args_of({"serve", "--model", "m", "--tokenizer-mode", "bytes",
                                     "--num-prompts", "3", "--request-id-prefix", "r-"});
  support::expect_golden(found, fixture("cli/pytorch_args_plain.txt"));
  EXPECT_EQ(std::ranges::count(found, '\n'), 107) << "upstream's";
  std::istringstream snapshot(read(fixture("cli/upstream_flags.tsv")));
  for (std::string line; std::getline(snapshot, line);) {
    if (line.starts_with('#') || line.starts_with("no-self-timed")) continue;
    const std::string name = replaced(line.substr(0, line.find('\t')), "-", "_");
    EXPECT_THAT("\n" + found, ::testing::HasSubstr("\n" + name + ": "));
  }
}

TEST_F(pytorch_args, have_upstreams_types_and_no_secret_whatever_is_given) {
  std::vector<std::string> flags{"serve"};
  for (const char* word : {"--backend",
                           "vllm",
                           "--model",
                           "org/m",
                           "--served-model-name",
                           "m",
                           "--tokenizer",
                           "tok",
                           "--tokenizer-mode",
                           "bytes",
                           "--num_prompts",
                           "4",
                           "--temperature",
                           "0",
                           "--top-k",
                           "5",
                           "--top-p",
                           "0.9",
                           "--extra-body.a.b",
                           "3",
                           "--input-len",
                           "20",
                           "--random-input-len",
                           "70",
                           "--output-len",
                           "4",
                           "--random-range-ratio",
                           "0.25",
                           "--random-batch-size=1",
                           "--sharegpt-output-len",
                           "7",
                           "--sonnet-prefix-len",
                           "100",
                           "--hf-name",
                           "org/data",
                           "--hf-output-len",
                           "9",
                           "--asr-max-audio-len-sec",
                           "30",
                           "--bfcl-categories",
                           "simple",
                           "--random-mm-limit-mm-per-prompt.image",
                           "2",
                           "--goodput",
                           "ttft:100",
                           "e2el:2000.5",
                           "--header",
                           "Authorization=Bearer secret",
                           "X-Tenant=t",
                           "--metadata",
                           "gpu=H200",
                           "tensor_parallel_size=8",
                           "--lora-modules",
                           "x",
                           "y",
                           "--max-concurrency",
                           "2",
                           "--request-rate",
                           "500",
                           "--burstiness",
                           "2",
                           "--percentile-metrics",
                           "ttft,tpot,itl,e2el",
                           "--metric-percentiles",
                           "50,99,99.9",
                           "--logprobs",
                           "2",
                           "--label",
                           "L",
                           "--seed",
                           "7",
                           "--insecure",
                           "--use-beam-search",
                           "--ready-check-timeout-sec",
                           "5",
                           "--num-warmups",
                           "1",
                           "--disable-tqdm",
                           "--plot-timeline",
                           "--timeline-itl-thresholds",
                           "10,20.5",
                           "--ignore-eos",
                           "--save-detailed",
                           "--disable-shuffle",
                           "--request-id-prefix",
                           "r-",
                           "--workers",
                           "1",
                           "--idle-timeout",
                           "5s"})
    flags.emplace_back(word);
  const std::string found = args_of(flags);
  support::expect_golden(found, fixture("cli/pytorch_args_many.txt"));
  EXPECT_THAT(found, ::testing::Not(::testing::HasSubstr("secret")));
}

TEST_F(pytorch_args, of_a_file_have_the_values_of_its_settings) {
  const std::string toml = where.path("b.toml");
  std::ofstream(toml) << "[server]\nbase-url = \"" << server.url()
                      << "\"\n"
                         "[backend]\nuse = \"openai-chat\"\nmodel = \"m\"\n"
                         "extra-body = { temperature = 0.5 }\n"
                         "[tokenizer]\nuse = \"none\"\n"
                         "[dataset]\nuse = \"timed_trace\"\npath = \""
                      << fixture("datasets/mooncake_trace.jsonl")
                      << "\"\n"
                         "[run]\nsave-result = true\nprogress = false\nresult-dir = \""
                      << where.path() << "\"\nresult-filename = \"r.json\"\n";
  EXPECT_NE(inferbench({"run", toml, "--set", "backend.use=openai", "--set", "tokenizer.use=bytes",
                        "--set", "dataset.sec-multiplier=0.000001", "--set",
                        "dataset.chunk-hash-size=512", "--set", "dataset.num-prompts=2"})
                .status,
            2);
  const std::string found = lines();
  using ::testing::HasSubstr;
  for (const char* line :
       {"backend: \"openai\"\n", "dataset_name: \"timed_trace\"\n", "disable_tqdm: true\n",
        "extra_body: {\"temperature\": 0.5}\n", "temperature: null\n", "self_timed: true\n",
        "timed_trace_chunk_hash_size: 512\n", "timed_trace_sec_multiplier: 1e-06\n",
        "tokenizer_mode: \"bytes\"\n", "num_prompts: 2\n", "endpoint: \"/v1/completions\"\n"})
    EXPECT_THAT(found, HasSubstr(line));
}

}  // namespace
}  // namespace inferbench::testing
