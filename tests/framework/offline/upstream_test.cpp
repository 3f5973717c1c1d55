#include "offline/upstream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::offline::upstream {
namespace {

TEST(upstream_offline, engines_have_the_names_of_upstream) {
  for (const char* name : {"vllm", "vllm-chat", "vllm-async", "hf", "mii"})
    EXPECT_EQ(name_of(engine_family_of(name)), name);
  EXPECT_EQ(engine_family_of("openai"), engine_family::other);
  EXPECT_EQ(name_of(engine_family::other), "");
}

TEST(upstream_offline, each_data_set_of_the_hub_has_its_family) {
  EXPECT_EQ(hub_family_of("lmarena-ai/VisionArena-Chat", ""), hub_family::vision_arena);
  EXPECT_EQ(hub_family_of("/data", "yale-nlp/MMVU"), hub_family::mmvu);
  EXPECT_EQ(hub_family_of("yale-nlp/mmvu", ""), hub_family::other);
  EXPECT_EQ(hub_family_of("", ""), hub_family::other);
}

TEST(upstream_offline, data_sets_with_prompts_of_their_own_need_no_path) {
  for (const char* name : {"random", "random-mm", "random-rerank", "prefix_repetition"})
    EXPECT_TRUE(needs_no_path(name)) << name;
  for (const char* name : {"sharegpt", "hf", "sonnet", "anything"})
    EXPECT_FALSE(needs_no_path(name)) << name;
}

TEST(upstream_offline, latency_of_a_server_needs_no_files) {
  EXPECT_TRUE(needs_no_path(latency_dataset()));
  EXPECT_EQ(latency_dataset(), "random");
  EXPECT_EQ(tokenizer_without_files(), "bytes");
}

TEST(upstream_offline, scripts_have_the_prompts_of_a_file_or_their_own) {
  for (const benchmark which :
       {benchmark::prefix_caching, benchmark::long_document_qa, benchmark::prioritization})
    EXPECT_EQ(script_dataset(which, true), "sharegpt");
  EXPECT_EQ(script_dataset(benchmark::prefix_caching, false), "prefix_repetition");
  EXPECT_EQ(script_dataset(benchmark::long_document_qa, false), "long-document");
  EXPECT_EQ(script_dataset(benchmark::prioritization, false), "repeated-text");
}

}  // namespace
}  // namespace inferbench::offline::upstream
