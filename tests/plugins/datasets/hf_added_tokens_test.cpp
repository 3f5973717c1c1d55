// Compares the samples of data sets of the hub with golden files for a tokenizer whose model adds a
// token to each text. MLPerf's recorded answers are counted without this token, the answers of all
// other data sets with it. tests/tools/golden_hub_samples.py computes the files.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "plugins/datasets/dataset_show.hpp"

namespace {

class hf_added_tokens : public ::testing::TestWithParam<const char*> {};

TEST_P(hf_added_tokens, are_counted_as_in_upstream) {
  const std::string id = GetParam();
  std::string folder = id;
  folder.replace(folder.find('/'), 1, "--");
  support::is_golden("hf", {"llama3_1", 0},
                     "--num-prompts 20 --hf-name " + id + " --dataset-path '" +
                         support::fixture_path("hf/" + folder) + "'",
                     "hf_" + id.substr(id.find('/') + 1));
}

INSTANTIATE_TEST_SUITE_P(
    all, hf_added_tokens,
    ::testing::Values("mgoin/mlperf-inference-llama3.1-data", "AI-MO/NuminaMath-CoT",
                      "Aeala/ShareGPT_Vicuna_unfiltered", "zed-industries/zeta"),
    [](const auto& of) {
      std::string name = of.param;
      std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.' || c == '/'; }, '_');
      return name;
    });

}  // namespace
