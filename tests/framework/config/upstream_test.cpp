#include "config/upstream.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::config::upstream {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(upstream, a_data_set_of_a_hub_may_be_one_of_ours) {
  EXPECT_EQ(dataset_of_hub_id("gorilla-llm/Berkeley-Function-Calling-Leaderboard"), "bfcl");
  EXPECT_EQ(dataset_of_hub_id("AI-MO/NuminaMath-CoT"), "");
  EXPECT_EQ(dataset_of_hub_id(""), "");
}

TEST(upstream, data_sets_with_media_have_backends_that_send_media) {
  const auto allowed = [](std::string_view dataset, std::string_view hub_id) {
    const auto found = backends_for_media(dataset, hub_id);
    return std::vector<std::string_view>(found.begin(), found.end());
  };
  EXPECT_THAT(allowed("random-mm", ""), ElementsAre("openai-chat"));
  for (const char* id : {"lmarena-ai/VisionArena-Chat", "yale-nlp/MMVU",
                         "lmms-lab/LLaVA-OneVision-Data", "Lin-Chen/MMStar"})
    EXPECT_THAT(allowed("hf", id),
                ElementsAre("openai-chat", "openai-embeddings-chat", "openai-embeddings-clip",
                            "openai-embeddings-vlm2vec", "infinity-embeddings-clip"))
        << id;
  for (const char* id : {"kensho/spgispeech", "openslr/librispeech_asr"})
    EXPECT_THAT(allowed("hf", id), ElementsAre("openai-chat", "openai-audio")) << id;
  for (const char* id : {"openai/gsm8k", "Aeala/ShareGPT_Vicuna_unfiltered", "lin-chen/mmstar", ""})
    EXPECT_THAT(allowed("hf", id), IsEmpty()) << id;
  for (const char* dataset : {"custom_image", "custom_audio", "sharegpt", "random"})
    EXPECT_THAT(allowed(dataset, "Lin-Chen/MMStar"), IsEmpty()) << dataset;
}

TEST(upstream, a_backend_of_upstream_sends_media_or_leaves_them_out) {
  for (const char* name : {"openai", "vllm", "openai-responses", "openai-embeddings",
                           "infinity-embeddings", "vllm-pooling", "vllm-rerank"}) {
    EXPECT_TRUE(has_backend(name)) << name;
    EXPECT_TRUE(leaves_out_media(name)) << name;
  }
  for (const char* name : {"openai-chat", "openai-audio", "openai-embeddings-clip"}) {
    EXPECT_TRUE(has_backend(name)) << name;
    EXPECT_FALSE(leaves_out_media(name)) << name;
  }
  for (const char* name : {"template", "mine", ""}) {
    EXPECT_FALSE(has_backend(name)) << name;
    EXPECT_FALSE(leaves_out_media(name)) << name;
  }
}

TEST(upstream, a_renamed_dataset_is_known_by_its_old_name) {
  EXPECT_EQ(renamed_dataset("custom_mm"), "custom_image");
  EXPECT_EQ(renamed_dataset("custom_image"), "");
  EXPECT_EQ(renamed_dataset("custom"), "");
}

TEST(upstream, prompts_with_media_are_never_aligned) {
  EXPECT_TRUE(is_never_aligned("random-mm"));
  EXPECT_FALSE(is_never_aligned("random"));
}

TEST(upstream, of_its_datasets_only_a_trace_has_times) {
  EXPECT_TRUE(has_no_times("random"));
  EXPECT_TRUE(has_no_times("random-mm"));
  EXPECT_TRUE(has_no_times("custom_image"));
  EXPECT_TRUE(has_no_times("speed_bench"));
  for (const char* name : {"timed_trace", "conversations", "txt-slices", ""})
    EXPECT_FALSE(has_no_times(name)) << name;
}

TEST(upstream, flags_of_datasets_are_sorted) {
  EXPECT_TRUE(std::ranges::is_sorted(dataset_flags(), {}, &dataset_flag::flag));
}

}  // namespace
}  // namespace inferbench::config::upstream
