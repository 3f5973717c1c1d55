// Compares the samples of each data set of the hub with images, videos or sound with the output of
// tests/tools/golden_hub_media_samples.py, which implements upstream's rules: two seeds and two
// real tokenizers. The data sets have invented rows and the columns of the real ones. Most are
// Parquet, whose tests are skipped if DuckDB is not installed.
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "common/hub/digest.hpp"
#include "plugins/datasets/dataset_show.hpp"

namespace {

struct hub_media_set {
  const char* id;
  const char* flags = "";
};

const hub_media_set media_sets[] = {
    {"lmarena-ai/VisionArena-Chat"},
    {"lmarena-ai/vision-arena-bench-v0.1"},
    {"yale-nlp/MMVU"},
    {"lmms-lab/LLaVA-OneVision-Data", " --hf-subset chartqa --hf-split train"},
    {"Lin-Chen/MMStar"},
    {"openslr/librispeech_asr", " --hf-subset clean --hf-split test"},
    {"facebook/voxpopuli", " --hf-subset en --hf-split train"},
    {"ArtificialAnalysis/Earnings22-Cleaned-AA", " --hf-split test"},
};

std::string name_of_set(std::string_view id) { return std::string(id.substr(id.find('/') + 1)); }

/// Replaces the base64 text of each file by its SHA-256, or by "any" if the golden file has that.
std::string with_digests(const std::string& out, const std::string& golden) {
  constexpr std::string_view mark = ";base64,";
  std::string made;
  std::size_t from = 0;
  std::size_t expected = 0;
  for (std::size_t at = 0; (at = out.find(mark, from)) != out.npos;) {
    at += mark.size();
    const std::size_t end = out.find('"', at);
    made.append(out, from, at - from);
    expected = golden.find(mark, expected);
    if (expected != golden.npos) expected += mark.size();
    if (expected != golden.npos && golden.compare(expected, 4, "any\"") == 0) {
      made += "any";
    } else {
      hub::sha256 digest;
      digest.update(std::string_view(out).substr(at, end - at));
      made += digest.finish();
    }
    from = end;
  }
  return made.append(out, from);
}

class hf_media_golden
    : public ::testing::TestWithParam<std::tuple<hub_media_set, support::golden_run>> {};

TEST_P(hf_media_golden, samples_are_the_same_as_in_upstream) {
  const auto& [set, run] = GetParam();
  std::string folder = set.id;
  folder.replace(folder.find('/'), 1, "--");
  support::is_golden("hf", run,
                     "--num-prompts 20 --hf-name " + std::string(set.id) + " --dataset-path '" +
                         support::fixture_path("hf/" + folder) + "'" + set.flags,
                     "hf_" + name_of_set(set.id), with_digests);
}

INSTANTIATE_TEST_SUITE_P(all, hf_media_golden,
                         ::testing::Combine(::testing::ValuesIn(media_sets),
                                            ::testing::ValuesIn(support::golden_runs)),
                         [](const auto& of) {
                           std::string name = name_of_set(std::get<0>(of.param).id);
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           const support::golden_run& run = std::get<1>(of.param);
                           return name + "_" + run.tokenizer + "_" + std::to_string(run.seed);
                         });

}  // namespace
