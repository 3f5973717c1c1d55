// Each data set of `--dataset-name hf` in a run against the simulator, with the flags of its line
// in docs/datasets.md: all rows that fit arrive at the server, whole and with their media. The rows
// are invented, the columns are those of the real data sets.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "program/cli/process.hpp"
#include "support/duckdb.hpp"
#include "support/media.hpp"

namespace inferbench::testing {
namespace {

namespace fs = std::filesystem;

using media_list = std::vector<std::string>;

/// One run. The client and the simulator have a token for each byte, so the lengths are the bytes
/// of the prompts and recorded answers; tests/tools/hub_lengths.py computes them. The prompt of
/// speech is Whisper's, of 57 bytes, because the model's name contains "openai"; it is not sent.
struct hub_run {
  const char* id;
  const char* data;  // folder in fixtures/datasets
  std::vector<std::string> flags;
  std::int64_t requests;  // rows that fit
  std::int64_t input_tokens;
  std::int64_t output_tokens;
  media_list media = {};  // see media_of()
};

void PrintTo(const hub_run& run, std::ostream* to) { *to << run.id; }

media_list each_with(const std::string& before, media_list list) {
  for (std::string& one : list)
    one.insert(0, before);
  return list;
}
media_list jpeg(media_list sizes) { return each_with("image/jpeg ", std::move(sizes)); }
media_list wav(media_list facts) { return each_with("audio/wav ", std::move(facts)); }

const std::vector<std::string> hub_completions{"--backend", "openai"};
const std::vector<std::string> hub_chat{"--backend", "openai-chat", "--skip-chat-template"};
const std::vector<std::string> hub_media{"--backend", "openai-chat"};
const std::vector<std::string> hub_media_as_chat{"--backend", "openai-chat",
                                                 "--enable-multimodal-chat"};

std::vector<std::string> llava(std::vector<std::string> flags) {
  flags.insert(flags.end(), {"--hf-subset", "chartqa", "--hf-split", "train"});
  return flags;
}
std::vector<std::string> speech(const char* subset, const char* split) {
  return {"--backend", "openai-audio", "--hf-subset", subset, "--hf-split", split};
}

const media_list eight_sizes{"64x48", "64x48", "96x64",  "96x64",
                             "48x80", "48x80", "120x90", "120x90"};
const hub_run hub_runs[] = {
    {"likaixin/InstructCoder", "hf/likaixin--InstructCoder", hub_chat, 16, 2576, 3200},
    {"philschmid/mt-bench", "hf/philschmid--mt-bench", hub_chat, 10, 348, 2560},
    {"openai/openai_humaneval", "hf/openai--openai_humaneval", hub_chat, 10, 855, 2560},
    {"openai/gsm8k", "hf/openai--gsm8k", hub_chat, 4, 244, 1024},
    {"Aeala/ShareGPT_Vicuna_unfiltered", "hf/Aeala--ShareGPT_Vicuna_unfiltered", hub_completions, 6,
     108, 240},
    {"AI-MO/aimo-validation-aime", "hf/AI-MO--aimo-validation-aime", hub_completions, 10, 552,
     3915},
    {"AI-MO/NuminaMath-1.5", "hf/AI-MO--NuminaMath-1.5", hub_completions, 7, 227, 112},
    {"AI-MO/NuminaMath-CoT", "hf/AI-MO--NuminaMath-CoT", hub_completions, 6, 174, 246},
    {"zed-industries/zeta", "hf/zed-industries--zeta", hub_completions, 6, 2718, 354},
    {"vdaita/edit_5k_char", "hf/vdaita--edit_5k_char", hub_chat, 10, 3687, 40000},
    {"vdaita/edit_10k_char", "hf/vdaita--edit_5k_char", hub_chat, 10, 3687, 40000},
    {"mgoin/mlperf-inference-llama2-data", "hf/mgoin--mlperf-inference-llama3.1-data",
     hub_completions, 8, 760, 1035},
    {"mgoin/mlperf-inference-llama3.1-data", "hf/mgoin--mlperf-inference-llama3.1-data",
     hub_completions, 8, 760, 1035},
    {"gorilla-llm/Berkeley-Function-Calling-Leaderboard", "bfcl", hub_media, 12, 636, 120},

    {"lmarena-ai/VisionArena-Chat", "hf/lmarena-ai--VisionArena-Chat", hub_media, 12, 566, 1536,
     jpeg({"64x48", "64x48", "96x64", "96x64", "48x80", "48x80", "120x90", "120x90", "64x64",
           "32x32", "40x40", "30x20"})},
    {"lmarena-ai/vision-arena-bench-v0.1", "hf/lmarena-ai--vision-arena-bench-v0.1", hub_media, 8,
     376, 1024, jpeg({"64x48", "96x64", "48x80", "120x90", "32x32", "30x20", "64x48", "96x64"})},
    {"Lin-Chen/MMStar", "hf/Lin-Chen--MMStar", hub_media, 8, 304, 1024, jpeg(eight_sizes)},
    {"Lin-Chen/MMStar", "hf/Lin-Chen--MMStar", hub_media_as_chat, 8, 304, 1024, jpeg(eight_sizes)},
    {"lmms-lab/LLaVA-OneVision-Data", "hf/lmms-lab--LLaVA-OneVision-Data", llava(hub_media), 6, 162,
     300, jpeg({"64x48", "64x48", "96x64", "48x80", "48x80"})},
    {"lmms-lab/LLaVA-OneVision-Data", "hf/lmms-lab--LLaVA-OneVision-Data", llava(hub_media_as_chat),
     6, 162, 300, jpeg({"64x48", "64x48", "96x64", "48x80", "48x80"})},
    {"yale-nlp/MMVU",
     "hf/yale-nlp--MMVU",
     hub_media,
     4,
     204,
     512,
     {"video, not sent", "video, not sent", "video, not sent", "video, not sent"}},

    {"openslr/librispeech_asr", "hf/openslr--librispeech_asr", speech("clean", "test"), 8, 456,
     8192,
     wav({"16000 Hz, 1 channel, 0.5 s", "16000 Hz, 1 channel, 1 s", "16000 Hz, 1 channel, 1.25 s",
          "16000 Hz, 1 channel, 2 s", "16000 Hz, 1 channel, 0.25 s", "16000 Hz, 1 channel, 3 s",
          "16000 Hz, 1 channel, 0.8 s", "16000 Hz, 1 channel, 1.6 s"})},
    {"facebook/voxpopuli", "hf/facebook--voxpopuli", speech("en", "train"), 6, 342, 6144,
     wav({"16000 Hz, 1 channel, 0.5 s", "16000 Hz, 1 channel, 1.25 s",
          "16000 Hz, 1 channel, 0.25 s", "44100 Hz, 2 channels, 0.4 s", "8000 Hz, 1 channel, 0.3 s",
          "16000 Hz, 1 channel, 2 s"})},
    {"ArtificialAnalysis/Earnings22-Cleaned-AA",
     "hf/ArtificialAnalysis--Earnings22-Cleaned-AA",
     {"--backend", "openai-audio", "--hf-split", "test"},
     2,
     114,
     2048,
     {"audio/mpeg 16000 Hz, 1 channel, 2 s", "audio/mpeg 16000 Hz, 1 channel, 3 s"}},
};

/// Writes a model with a token for each byte, and a chat template; returns its folder.
std::string write_byte_model(const folder& in) {
  std::string vocabulary;
  for (int byte = 0; byte < 256; ++byte)
    vocabulary += fmt::format(R"({}"<0x{:02X}>": {})", byte == 0 ? "" : ", ", byte, byte);
  in.write(
      "openai/tokenizer.json", R"({"model": {"type": "BPE", "byte_fallback": true, "merges": [],
      "vocab": {)" + vocabulary + "}}}");
  in.write("openai/tokenizer_config.json", R"({"chat_template":
      "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: "})");
  return in.path("openai");
}

bool has_parquet(const std::string& data) {
  return std::ranges::any_of(
      fs::recursive_directory_iterator(data),
      [](const fs::directory_entry& each) { return each.path().extension() == ".parquet"; });
}

/// One medium, from a line of the simulator's --media-facts.
std::string medium_of(const rapidjson::Document& line) {
  const auto text = [&](const char* key) {
    return std::string(base::text_of(base::find(line, key)));
  };
  const auto number = [&](const char* key) { return base::find(line, key)->GetDouble(); };
  if (const std::string mismatch = text("mismatch"); !mismatch.empty()) return mismatch;
  if (text("state") == "remote") return text("kind") + ", not sent";  // the server shall fetch it
  if (text("state") != "checked") return text("state");
  if (text("kind") == "sound") {
    const double channels = number("channels");
    return fmt::format("{} {} Hz, {} channel{}, {:.4g} s", text("format"), number("rate"), channels,
                       channels == 1 ? "" : "s", number("seconds"));
  }
  return fmt::format("{} {}x{}", text("format"), number("width"), number("height"));
}

/// What the simulator found in the media of all requests, or why a medium is not as it should be.
media_list media_of(const std::string& path) {
  std::istringstream lines(read(path));
  media_list out;
  for (std::string line; std::getline(lines, line);)
    out.push_back(medium_of(base::parse_json(line, path)));
  return out;
}

class hub_dataset : public ::testing::TestWithParam<hub_run> {};

TEST_P(hub_dataset, arrives_at_the_server_with_all_rows_that_fit) {
  const hub_run& with = GetParam();
  const std::string data = fixture("datasets/" + std::string(with.data));
  if (has_parquet(data)) {
    INFERBENCH_NEEDS_DUCKDB();
  }
  const folder where;
  simulator server({"--ttft", "0", "--itl", "0", "--media-facts", where.path("media.jsonl")});
  std::vector<std::string> line{"serve",
                                "--base-url",
                                server.url(),
                                "--model",
                                "m",
                                "--tokenizer",
                                write_byte_model(where),
                                "--dataset-name",
                                "hf",
                                "--hf-name",
                                with.id,
                                "--dataset-path",
                                data,
                                "--num-prompts",
                                "100",
                                "--ignore-eos",
                                "--result-dir",
                                where.path(),
                                "--result-filename",
                                "result.json",
                                "--save-result",
                                "--no-oversample"};
  line.insert(line.end(), with.flags.begin(), with.flags.end());
  const finished run = inferbench(line);
  server.stop();
  if (run.status != 0 && run.err.find("this build of inferbench has no") != std::string::npos) {
    INFERBENCH_LACKS_MEDIA(run.err);
  }
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string path = where.path("result.json");
  const auto result = base::parse_json(read(path), path);
  EXPECT_EQ(result["completed"].GetInt64(), with.requests) << run.err;
  EXPECT_EQ(result["failed"].GetInt64(), 0) << run.err;
  EXPECT_EQ(result["total_input_tokens"].GetInt64(), with.input_tokens);
  EXPECT_EQ(result["total_output_tokens"].GetInt64(), with.output_tokens);
  const media_list found = media_of(where.path("media.jsonl"));
  if (std::ranges::count(found, "no codec") != 0) {
    INFERBENCH_LACKS_MEDIA("the simulator has no codec");
  }
  EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(with.media));
  const bool speaks = !found.empty() && found.front().starts_with("audio/");
  EXPECT_EQ(result["rtfx"].GetDouble() > 0, speaks);
}

INSTANTIATE_TEST_SUITE_P(every, hub_dataset, ::testing::ValuesIn(hub_runs), [](const auto& of) {
  std::string name = of.param.id;
  if (std::ranges::count(of.param.flags, "--enable-multimodal-chat") != 0) name += " as chat";
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(hub_datasets, with_a_fixture_are_all_tried_here) {
  std::set<std::string> tried;
  for (const hub_run& each : hub_runs)
    tried.insert(each.data);
  for (const auto& each : fs::directory_iterator(fixture("datasets/hf")))
    EXPECT_THAT(tried, ::testing::Contains("hf/" + each.path().filename().string()));
}

}  // namespace
}  // namespace inferbench::testing
