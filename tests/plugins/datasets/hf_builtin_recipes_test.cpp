// The recipes of the plugin: each data set of `vllm bench serve --dataset-name hf` has one, with
// upstream's defaults and prompts.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/hf/recipe_shelf.hpp"
#include "support/plugin_box.hpp"

namespace hf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class hf_builtin_recipes : public ::testing::Test {
 protected:
  [[nodiscard]] const recipe& of(const std::string& id) const {
    const recipe* const found = shelf_.of(id);
    EXPECT_NE(found, nullptr) << id;
    return found == nullptr ? shelf_.of_any() : *found;
  }
  /// The prompt of a row, which is a JSON object.
  [[nodiscard]] static std::string prompt_of(const recipe& by, const char* row) {
    return text_of(by.messages.front().content, row);
  }
  [[nodiscard]] static std::string text_of(const row_template& by, const char* row) {
    rapidjson::Document context;
    context.Parse(row);
    EXPECT_FALSE(context.HasParseError()) << row;
    try {
      return by.render(context);
    } catch (const jinja::error& e) {
      return e.message();
    }
  }

  support::host host_;
  recipe_shelf shelf_{ifb::host(host_.table()), {}};
};

TEST_F(hf_builtin_recipes, every_data_set_of_upstream_has_one) {
  struct known {
    const char* id;
    const char* subset;
    const char* split;
    std::int64_t tokens;  // 0: as many as the recorded answer has
    chat_use chat;
    bool media;
  };
  const known all[] = {
      {"likaixin/InstructCoder", "", "train", 200, chat_use::unless_skipped, false},
      {"philschmid/mt-bench", "", "train", 256, chat_use::unless_skipped, false},
      {"openai/openai_humaneval", "", "test", 256, chat_use::unless_skipped, false},
      {"openai/gsm8k", "main", "test", 256, chat_use::unless_skipped, false},
      {"Aeala/ShareGPT_Vicuna_unfiltered", "", "", 0, chat_use::never, true},
      {"AI-MO/aimo-validation-aime", "", "train", 0, chat_use::never, false},
      {"AI-MO/NuminaMath-1.5", "", "train", 0, chat_use::never, false},
      {"AI-MO/NuminaMath-CoT", "", "train", 0, chat_use::never, false},
      {"zed-industries/zeta", "", "train", 0, chat_use::never, false},
      {"vdaita/edit_5k_char", "", "train", 4000, chat_use::unless_skipped, false},
      {"vdaita/edit_10k_char", "", "train", 4000, chat_use::unless_skipped, false},
      {"mgoin/mlperf-inference-llama2-data", "", "train", 0, chat_use::always, false},
      {"mgoin/mlperf-inference-llama3.1-data", "", "train", 0, chat_use::always, false},
      {"lmarena-ai/VisionArena-Chat", "", "train", 128, chat_use::never, true},
      {"lmarena-ai/vision-arena-bench-v0.1", "", "train", 128, chat_use::never, true},
      {"yale-nlp/MMVU", "", "validation", 128, chat_use::never, true},
      {"lmms-lab/LLaVA-OneVision-Data", "", "", 0, chat_use::never, true},
      {"Lin-Chen/MMStar", "", "val", 128, chat_use::never, true},
      {"openslr/librispeech_asr", "", "", 1024, chat_use::never, true},
      {"facebook/voxpopuli", "", "", 1024, chat_use::never, true},
      {"LIUM/tedlium", "", "", 1024, chat_use::never, true},
      {"edinburghcstr/ami", "", "", 1024, chat_use::never, true},
      {"speechcolab/gigaspeech", "", "", 1024, chat_use::never, true},
      {"kensho/spgispeech", "", "", 1024, chat_use::never, true},
      {"ArtificialAnalysis/Earnings22-Cleaned-AA", "", "", 1024, chat_use::never, true},
      {"D4nt3/esb-datasets-earnings22-validation-tiny-filtered", "", "", 1024, chat_use::never,
       true},
  };
  for (const known& each : all) {
    SCOPED_TRACE(each.id);
    const recipe& found = of(each.id);
    EXPECT_EQ(found.subset.value_or(""), each.subset);
    EXPECT_EQ(found.split.value_or(""), each.split);
    EXPECT_EQ(found.output_tokens.value_or(0), each.tokens);
    EXPECT_EQ(found.answer.has_value(), each.tokens == 0);
    EXPECT_EQ(found.chat, each.chat);
    EXPECT_EQ(found.media.empty(), !each.media);
    EXPECT_FALSE(found.about.empty());
  }
  EXPECT_THAT(host_.log(), IsEmpty());
}

TEST_F(hf_builtin_recipes, prompts_are_upstream_s) {
  EXPECT_EQ(prompt_of(of("likaixin/InstructCoder"), R"({"input": "a\n", "instruction": "Do it."})"),
            "a\n\n\nDo it. Just output the code, do not include any explanation.");
  EXPECT_EQ(prompt_of(of("philschmid/mt-bench"), R"({"turns": ["one", "two"]})"), "one");
  EXPECT_EQ(prompt_of(of("openai/openai_humaneval"), R"({"prompt": "def f():\n"})"), "def f():\n");
  EXPECT_EQ(prompt_of(of("vdaita/edit_5k_char"), R"({"code": "x = 1", "change_request": "y"})"),
            "Given a code file, please apply the change requests and generate the new file.\n\n"
            "Original file:\n```python\nx = 1\n```\n\nChange request:\ny\n\n"
            "Please generate the new code file in the \"New file\" section below.");
  EXPECT_EQ(prompt_of(of("zed-industries/zeta"), R"({"events": "E", "input": "I"})"),
            "### Instruction:\nYou are a code completion assistant and your task is to analyze "
            "user edits and then rewrite an excerpt that the user provides, suggesting the "
            "appropriate edits within the excerpt, taking into account the cursor location.\n\n"
            "### User Edits:\n\nE\n\n### User Excerpt:\n\nI\n\n### Response:\n\n");
  EXPECT_EQ(prompt_of(of("yale-nlp/MMVU"), R"({"question": "Q?", "choices": {"B": "x", "A": ""}})"),
            "Q? B.x A.");
  EXPECT_EQ(prompt_of(of("Lin-Chen/MMStar"), R"({"question": " Q?\nOptions: A: Options: x"})"),
            "Q?");
  EXPECT_EQ(prompt_of(of("openslr/librispeech_asr"), R"({"run": {"tokenizer": "openai/whisper"}})"),
            "<|startoftranscript|><|en|><|transcribe|><|notimestamps|>");
  EXPECT_THAT(prompt_of(of("facebook/voxpopuli"), R"({"run": {"tokenizer": "x/Cohere-asr"}})"),
              StartsWith("<|startofcontext|><|startoftranscript|><|emo:undefined|><|en|><|en|>"));
  EXPECT_EQ(prompt_of(of("facebook/voxpopuli"), R"({"run": {"tokenizer": "x"}})"), "");
  const recipe& chat = of("lmarena-ai/VisionArena-Chat");
  EXPECT_EQ(prompt_of(chat, R"({"conversation": [[{"role": "user", "content": "c"}]]})"), "c");
}

TEST_F(hf_builtin_recipes, speech_has_a_transcript_under_one_of_its_names) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"text": "t"})", "t"},
      {R"({"raw_text": "r", "normalized_text": "n"})", "n"},
      {R"({"text": null, "transcript": "c"})", "c"},
      {R"({"sentence": "s"})", "s"},
      {"{}", ""},
  };
  for (const auto& [row, words] : rows)
    EXPECT_EQ(text_of(*of("openslr/librispeech_asr").transcript, row), words) << row;
  const recipe& files = of("ArtificialAnalysis/Earnings22-Cleaned-AA");
  EXPECT_EQ(text_of(*files.transcript, R"({"transcript": "c"})"), "c");
  EXPECT_EQ(text_of(*files.transcript, "{}"), "");
  EXPECT_FALSE(of("Lin-Chen/MMStar").transcript);
  EXPECT_THAT(columns_of(files, true), ElementsAre("transcript?", "url"));
}

TEST_F(hf_builtin_recipes, the_answer_of_zeta_begins_at_its_marker) {
  const row_template& answer = of("zed-industries/zeta").answer->text;
  EXPECT_EQ(text_of(answer, R"({"output": "\u00e4<|editable_region_start|>\nx"})"),
            "<|editable_region_start|>\nx");
  EXPECT_EQ(text_of(answer, R"({"output": "no marker"})"), "no marker");
}

TEST_F(hf_builtin_recipes, other_data_sets_are_read_by_usual_names_of_columns) {
  const recipe& any = shelf_.of_any();
  const std::pair<const char*, const char*> prompts[] = {
      {R"({"conversations": [{"from": "system", "value": "s"}, {"from": "human", "value": "h"},
           {"from": "human", "value": "i"}], "prompt": "p"})",
       "h"},
      {R"({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]})",
       "u"},
      {R"({"messages": [{"role": "user", "content": [1]}], "question": "q"})", "q"},
      {R"({"conversation": [[{"role": "user", "content": "c"}]], "text": "t"})", "t"},
      {R"({"turns": ["t0", "t1"], "prompt": "p"})", "t0"},
      {R"({"turns": [], "prompt": "p"})", "p"},
      {R"({"context": "c", "input": "i", "prompt": "p"})", "c\n\ni"},
      {R"({"input": "i", "instruction": "n"})", "i"},
      {R"({"prompt": "", "question": null, "problem": "b"})", "b"},
      {R"({"prompt": 5})", "no column with a usual name has a text"},
      {"{}", "no column with a usual name has a text"},
  };
  for (const auto& [row, prompt] : prompts)
    EXPECT_EQ(prompt_of(any, row), prompt) << row;
  const std::pair<const char*, const char*> answers[] = {
      {R"({"messages": [{"role": "user", "content": "u"}, {"role": "assistant", "content": "a"}],
           "answer": "b"})",
       "a"},
      {R"({"conversations": [{"from": "human", "value": "h"}, {"from": "gpt", "value": "g"}]})",
       "g"},
      {R"({"completion": "c", "answer": "a"})", "c"},
      {R"({"answers": ["first", "second"]})", "first"},
      {R"({"answers": []})", ""},
      {R"({"answer": null, "output": "o"})", "o"},
      {"{}", ""},
  };
  for (const auto& [row, answer] : answers)
    EXPECT_EQ(text_of(any.answer->text, row), answer) << row;
  // Every column may be missing.
  for (const std::string& column : columns_of(any, true))
    EXPECT_TRUE(column.ends_with('?')) << column;
}

}  // namespace
}  // namespace hf
