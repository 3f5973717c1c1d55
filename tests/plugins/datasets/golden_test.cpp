// Compares complete samples with the output of tests/tools/golden_samples.py, which implements
// upstream's rules: two seeds and two real tokenizers. For the datasets without their own golden
// test.
#include <algorithm>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "plugins/datasets/dataset_show.hpp"

namespace {

struct golden_dataset {
  const char* name;
  std::string flags;
  bool renders = false;  // renders prompts with the chat template if the tokenizer has one
};

std::string file(const char* name) {
  return "--dataset-path '" + support::fixture_path(name) + "' ";
}

const golden_dataset datasets[] = {
    {"random",
     "--random-input-len 50 --random-output-len 20 --random-range-ratio 0.3 --random-prefix-len 7"},
    {"random-rerank", "--random-input-len 60 --random-batch-size 4"},
    {"prefix_repetition",
     "--prefix-repetition-num-prefixes 4 --prefix-repetition-prefix-len 20 "
     "--prefix-repetition-suffix-len 10"},
    {"burstgpt", file("BurstGPT_1.csv")},
    {"sonnet", "--sonnet-input-len 200 --sonnet-prefix-len 60", true},
    {"txt-slices", file("conversations_text.txt") +
                       "--txt-slices-input-len 20 --txt-slices-output-len 8 "
                       "--txt-slices-range-ratio 0.5"},
    {"sharegpt", file("sharegpt.json")},
};

class golden_samples
    : public ::testing::TestWithParam<std::tuple<golden_dataset, support::golden_run>> {};

TEST_P(golden_samples, follow_upstreams_rules) {
  const auto& [of, run] = GetParam();
  support::is_golden(
      of.name, run, "--num-prompts 20 " + of.flags + (of.renders ? support::template_of(run) : ""));
}

INSTANTIATE_TEST_SUITE_P(all, golden_samples,
                         ::testing::Combine(::testing::ValuesIn(datasets),
                                            ::testing::ValuesIn(support::golden_runs)),
                         [](const auto& of) {
                           std::string name = std::get<0>(of.param).name;
                           std::ranges::replace(name, '-', '_');
                           const support::golden_run& run = std::get<1>(of.param);
                           return name + "_" + run.tokenizer + "_" + std::to_string(run.seed);
                         });

}  // namespace
