#include "offline/dataset_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"

namespace inferbench::offline {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

/// The flags of the samples of a throughput benchmark.
std::string sample_flags(const std::vector<std::string>& args) {
  const throughput_options found = throughput_in(args);
  return text_of_flags(dataset_flags(found.data, found.chat()));
}

/// The same without the flags that all data sets have.
std::string own_flags(const std::vector<std::string>& args) {
  std::vector<std::pair<std::string, std::string>> own;
  const throughput_options found = throughput_in(args);
  for (const auto& flag : dataset_flags(found.data, found.chat()))
    if (flag.first != "dataset-name" && flag.first != "dataset-path" &&
        flag.first != "num-prompts" && flag.first != "seed" && flag.first != "tokenizer" &&
        flag.first != "tokenizer-mode" && flag.first != "no-oversample")
      own.push_back(flag);
  return text_of_flags(own);
}

TEST(dataset_options, all_data_sets_get_their_number_seed_and_tokenizer) {
  EXPECT_EQ(sample_flags({"--dataset-name", "burstgpt", "--dataset-path", "b.csv", "--num-prompts",
                          "7", "--seed", "3", "--tokenizer", "t", "--no-oversample"}),
            "--dataset-name=burstgpt --dataset-path=b.csv --num-prompts=7 --seed=3 --tokenizer=t "
            "--tokenizer-mode=auto --no-oversample=true");
}

TEST(dataset_options, the_tokenizer_of_the_engine_hf_is_that_of_the_hub) {
  EXPECT_THAT(sample_flags({"--backend", "hf", "--hf-max-batch-size", "1"}),
              HasSubstr("--tokenizer-mode=hf"));
  EXPECT_THAT(
      sample_flags({"--backend", "hf", "--hf-max-batch-size", "1", "--tokenizer-mode", "slow"}),
      HasSubstr("--tokenizer-mode=slow"));
}

TEST(dataset_options, a_random_length_is_the_own_length_then_the_general_length_then_the_default) {
  EXPECT_EQ(own_flags({"--dataset-name", "random"}),
            "--random-input-len=1024 --random-output-len=128 --random-prefix-len=0 "
            "--random-range-ratio=0.0");
  EXPECT_EQ(own_flags({"--dataset-name", "random", "--input-len", "10", "--output-len", "20",
                       "--prefix-len", "5", "--random-range-ratio", "0.5"}),
            "--random-input-len=10 --random-output-len=20 --random-prefix-len=5 "
            "--random-range-ratio=0.5");
  EXPECT_EQ(own_flags({"--dataset-name", "random", "--input-len", "10", "--random-input-len",
                       "1024", "--output-len", "20", "--random-output-len", "128", "--prefix-len",
                       "5", "--random-prefix-len", "0"}),
            "--random-input-len=1024 --random-output-len=128 --random-prefix-len=0 "
            "--random-range-ratio=0.0");
}

TEST(dataset_options, random_mm_is_a_chat_with_all_its_values) {
  EXPECT_EQ(
      own_flags({"--dataset-name", "random-mm", "--random-mm-limit-mm-per-prompt.image", "3"}),
      "--random-input-len=1024 --random-output-len=128 --random-prefix-len=0 "
      "--random-range-ratio=0.0 --random-mm-base-items-per-request=1 "
      "--random-mm-num-mm-items-range-ratio=0.0 "
      "--random-mm-limit-mm-per-prompt={\"image\": 3} "
      "--random-mm-bucket-config={(256, 256, 1): 0.5, (720, 1280, 1): 0.5, "
      "(720, 1280, 16): 0.0} --enable-multimodal-chat=true");
}

TEST(dataset_options, random_rerank_has_documents) {
  EXPECT_EQ(
      own_flags({"--dataset-name", "random-rerank", "--random-batch-size", "4", "--no-reranker"}),
      "--random-input-len=1024 --random-range-ratio=0.0 --random-batch-size=4 "
      "--no-reranker=true");
}

TEST(dataset_options, prefix_repetition_has_the_values_that_were_given) {
  EXPECT_EQ(own_flags({"--dataset-name", "prefix_repetition"}), "");
  EXPECT_EQ(own_flags({"--dataset-name", "prefix_repetition", "--prefix-repetition-prefix-len",
                       "10", "--prefix-repetition-output-len", "3"}),
            "--prefix-repetition-prefix-len=10 --prefix-repetition-output-len=3");
}

TEST(dataset_options, sharegpt_has_an_output_length_and_is_a_chat_for_a_chat_engine) {
  const std::vector<std::string> sharegpt{"--dataset-path", "s.json"};
  EXPECT_EQ(own_flags(sharegpt), "");
  EXPECT_EQ(own_flags({"--dataset-path", "s.json", "--output-len", "9", "--backend", "vllm-chat"}),
            "--sharegpt-output-len=9 --enable-multimodal-chat=true");
}

TEST(dataset_options, sonnet_has_its_prefix_and_the_lengths_that_were_given) {
  EXPECT_EQ(own_flags({"--dataset-name", "sonnet", "--dataset-path", "s.txt"}),
            "--sonnet-prefix-len=0");
  EXPECT_EQ(own_flags({"--dataset-name", "sonnet", "--dataset-path", "s.txt", "--prefix-len", "50",
                       "--input-len", "500", "--output-len", "100"}),
            "--sonnet-prefix-len=50 --sonnet-input-len=500 --sonnet-output-len=100");
}

TEST(dataset_options, custom_audio_prefers_its_own_output_length) {
  EXPECT_EQ(own_flags({"--dataset-name", "custom_audio", "--dataset-path", "a.jsonl",
                       "--output-len", "5"}),
            "--custom-output-len=5");
  EXPECT_EQ(
      own_flags({"--dataset-name", "custom_audio", "--dataset-path", "a.jsonl", "--output-len", "5",
                 "--custom-output-len", "-1", "--enable-multimodal-chat"}),
      "--custom-output-len=-1 --enable-multimodal-chat=true");
}

TEST(dataset_options, families_of_the_hub_have_their_splits) {
  const auto flags = [](const std::string& id, const std::string& engine) {
    return own_flags({"--dataset-name", "hf", "--dataset-path", id, "--backend", engine,
                      "--hf-subset", "a", "--hf-split", "b", "--output-len", "7",
                      "--asr-max-audio-len-sec", "30"});
  };
  EXPECT_EQ(flags("lmarena-ai/VisionArena-Chat", "vllm-chat"),
            "--output-len=7 --hf-split=train --enable-multimodal-chat=true");
  EXPECT_EQ(flags("yale-nlp/MMVU", "vllm-chat"),
            "--output-len=7 --hf-split=validation --enable-multimodal-chat=true");
  EXPECT_EQ(flags("likaixin/InstructCoder", "vllm"), "--output-len=7 --hf-split=train");
  EXPECT_EQ(flags("lmms-lab/LLaVA-OneVision-Data", "vllm-chat"),
            "--output-len=7 --hf-subset=a --hf-split=b --enable-multimodal-chat=true");
  EXPECT_EQ(flags("openslr/librispeech_asr", "vllm"),
            "--output-len=7 --hf-subset=a --hf-split=b --asr-max-audio-len-sec=30.0");
}

TEST(dataset_options, the_warm_up_has_the_next_seed_and_its_own_number) {
  const dataset_options found =
      warmup_of(throughput_in({"--num-warmups", "4", "--seed", "10"}).data);
  EXPECT_THAT(text_of_flags(dataset_flags(found, false)), HasSubstr("--num-prompts=4 --seed=11 "));
}

TEST(dataset_options, seeds_that_the_data_sets_cannot_have_are_refused) {
  EXPECT_EQ(throughput_refusal({"--seed", "-1"}),
            "1: --seed: must be a whole number from 0 to 4294967295, not -1");
  EXPECT_EQ(throughput_refusal({"--seed", "4294967296"}),
            "1: --seed: must be a whole number from 0 to 4294967295, not 4294967296");
  EXPECT_THAT(throughput_refusal({"--seed", "x"}), testing::StartsWith("2: --seed: "));
}

TEST(dataset_options, installed_data_sets_get_the_general_flags) {
  const throughput_options found = throughput_options_of(
      line_of({"--dataset-name", "mine", "--input-len", "5", "--output-len", "6"}), {{}, {"mine"}});
  EXPECT_THAT(text_of_flags(dataset_flags(found.data, false)),
              EndsWith("--input-len=5 --output-len=6"));
  EXPECT_THAT(found.warnings, testing::IsEmpty());
  EXPECT_THAT(throughput_refusal({"--dataset-name", "mine"}),
              testing::StartsWith("2: --dataset-name: \"mine\" is not one of sharegpt, "));
}

}  // namespace
}  // namespace inferbench::offline
