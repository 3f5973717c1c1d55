// Compares the samples of each data set of the hub with the output of
// tests/tools/golden_hub_samples.py, which implements upstream's rules: two seeds and two real
// tokenizers. The data sets have invented rows and the columns of the real ones. Most are Parquet,
// whose tests are skipped if DuckDB is not installed.
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "plugins/datasets/dataset_show.hpp"

namespace {

struct hub_set {
  const char* id;
  bool needs_template = false;  // its prompts always go into the model's chat template
};

const hub_set sets[] = {
    {"likaixin/InstructCoder"},
    {"philschmid/mt-bench"},
    {"openai/openai_humaneval"},
    {"openai/gsm8k"},
    {"vdaita/edit_5k_char"},
    {"zed-industries/zeta"},
    {"Aeala/ShareGPT_Vicuna_unfiltered"},
    {"AI-MO/aimo-validation-aime"},
    {"AI-MO/NuminaMath-1.5"},
    {"AI-MO/NuminaMath-CoT"},
    {"mgoin/mlperf-inference-llama3.1-data", true},
};

/// The name of the data set without its owner.
std::string short_name(std::string_view id) { return std::string(id.substr(id.find('/') + 1)); }

class hf_golden : public ::testing::TestWithParam<std::tuple<hub_set, support::golden_run>> {};

TEST_P(hf_golden, samples_are_the_same_as_in_upstream) {
  const auto& [set, run] = GetParam();
  if (set.needs_template && std::string_view(run.tokenizer) == "gpt2")
    GTEST_SKIP() << "gpt2 has no chat template";
  std::string folder = set.id;
  folder.replace(folder.find('/'), 1, "--");
  support::is_golden("hf", run,
                     "--num-prompts 20 --hf-name " + std::string(set.id) + " --dataset-path '" +
                         support::fixture_path("hf/" + folder) + "'" + support::template_of(run),
                     "hf_" + short_name(set.id));
}

INSTANTIATE_TEST_SUITE_P(all, hf_golden,
                         ::testing::Combine(::testing::ValuesIn(sets),
                                            ::testing::ValuesIn(support::golden_runs)),
                         [](const auto& of) {
                           std::string name = short_name(std::get<0>(of.param).id);
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           const support::golden_run& run = std::get<1>(of.param);
                           return name + "_" + run.tokenizer + "_" + std::to_string(run.seed);
                         });

}  // namespace
