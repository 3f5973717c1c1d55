#include "offline/throughput_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"

namespace inferbench::offline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using arguments = std::vector<std::string>;

std::vector<std::string> warnings_of(const arguments& args) { return throughput_in(args).warnings; }

arguments joined(arguments a, const arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const arguments random_prompts{"--dataset-name", "random"};

TEST(throughput_options, the_names_of_engines_are_those_of_upstream) {
  EXPECT_EQ(throughput_in({}).engine, "vllm");
  EXPECT_EQ(throughput_in({"--async-engine"}).engine, "vllm-async");
  EXPECT_EQ(throughput_in({"--backend", "vllm-async"}).engine, "vllm-async");
  EXPECT_EQ(throughput_in({"--backend", "vllm-chat", "--async-engine"}).engine, "vllm-chat");
  EXPECT_EQ(throughput_in({"--backend", "mii"}).engine, "mii");
  EXPECT_EQ(throughput_options_of(line_of({"--backend", "mine"}), {{"mine"}, {}}).engine, "mine");
}

TEST(throughput_options, an_unknown_engine_is_refused_like_by_a_parser) {
  EXPECT_EQ(
      throughput_refusal({"--backend", "vlm"}),
      "2: --backend: \"vlm\" is not one of vllm, hf, mii, vllm-chat, vllm-async; did you mean "
      "vllm?");
}

TEST(throughput_options, gpus_for_the_energy_are_numbers_with_commas) {
  EXPECT_EQ(throughput_in({}).energy_gpu_ids, std::nullopt);
  EXPECT_THAT(throughput_in({"--energy-gpu-ids", "1, 0"}).energy_gpu_ids,
              testing::Optional(ElementsAre(1U, 0U)));
  EXPECT_EQ(throughput_refusal({"--energy-gpu-ids", "0,x"}),
            "1: --energy-gpu-ids: \"x\" is not the number of a GPU; write numbers with commas "
            "between, such as 0,1");
  EXPECT_EQ(throughput_refusal({"--energy-gpu-ids", "-1"}),
            "1: --energy-gpu-ids: \"-1\" is not the number of a GPU; write numbers with commas "
            "between, such as 0,1");
  EXPECT_EQ(throughput_refusal({"--energy-gpu-ids", "3,3"}),
            "1: --energy-gpu-ids: GPU 3 is named twice; name each GPU once");
}

TEST(throughput_options, the_engine_mii_is_refused_after_the_prompts) {
  const throughput_options found = throughput_in({"--backend", "mii"});
  EXPECT_THAT(refusal_of([&] {
                require_engine(found);
                return 0;
              }),
              StartsWith("1: --backend: Unknown backend: mii"));
  EXPECT_NO_THROW(require_engine(throughput_in({})));
}

TEST(throughput_options, the_old_name_of_the_path_warns_and_counts) {
  const throughput_options found = throughput_in({"--dataset", "a.json", "--dataset-path", "b"});
  EXPECT_EQ(found.data.path, "a.json");
  EXPECT_THAT(found.warnings, ElementsAre("--dataset is deprecated; use --dataset-path"));
}

TEST(throughput_options, a_data_set_without_a_path_becomes_random_with_a_notice) {
  const throughput_options found = throughput_in({});
  EXPECT_EQ(found.data.name, "random");
  EXPECT_THAT(found.warnings,
              ElementsAre("--dataset-path is not given: the prompts are random, not "
                          "of the data set sharegpt"));
  EXPECT_EQ(throughput_in({"--dataset-name", "spec_bench", "--dataset-path", ""}).data.name,
            "random");
  for (const char* name : {"random", "prefix_repetition", "random-mm", "random-rerank"}) {
    EXPECT_EQ(throughput_in({"--dataset-name", name}).data.name, name);
    EXPECT_THAT(warnings_of({"--dataset-name", name}), IsEmpty()) << name;
  }
}

TEST(throughput_options, flags_that_have_no_effect_are_named) {
  EXPECT_THAT(warnings_of({"--dataset-path", "s.json", "--hf-split", "train"}),
              ElementsAre(HasSubstr("--hf-subset and --hf-split are ignored")));
  EXPECT_THAT(
      warnings_of({"--dataset-path", "s.json", "--random-range-ratio", "0.0", "--random-batch-size",
                   "2", "--no-reranker", "--prefix-len", "3"}),
      ElementsAre(StartsWith("--random-range-ratio is ignored"),
                  StartsWith("--random-batch-size is ignored"),
                  StartsWith("--no-reranker is ignored"), StartsWith("--prefix-len is ignored")));
  EXPECT_THAT(warnings_of({"--dataset-path", "s.json"}), IsEmpty());
}

TEST(throughput_options, a_general_length_beside_a_random_length_is_named) {
  EXPECT_THAT(warnings_of(joined(random_prompts, {"--input-len", "5", "--random-input-len", "6",
                                                  "--output-len", "7"})),
              ElementsAre("--input-len is ignored: --random-input-len is given, too"));
}

TEST(throughput_options, requests_are_queued_first_by_engines_with_a_scheduler_only) {
  EXPECT_EQ(throughput_refusal({"--prequeue-requests", "--async-engine"}),
            "1: --prequeue-requests: cannot be used with the asynchronous engine; leave out one of "
            "the two");
  EXPECT_THAT(throughput_refusal({"--prequeue-requests", "--backend", "hf"}),
              StartsWith("1: --prequeue-requests: needs a scheduler"));
  EXPECT_TRUE(throughput_in({"--prequeue-requests", "--backend", "vllm-chat"}).prequeue);
}

TEST(throughput_options, families_of_the_hub_need_their_engines) {
  const auto refused = [](const char* id, const char* engine) {
    return throughput_refusal({"--dataset-name", "hf", "--dataset-path", id, "--backend", engine});
  };
  for (const char* id : {"lmarena-ai/VisionArena-Chat", "yale-nlp/MMVU",
                         "lmms-lab/LLaVA-OneVision-Data", "Aeala/ShareGPT_Vicuna_unfiltered"}) {
    EXPECT_THAT(refused(id, "vllm"), HasSubstr("need the engine vllm-chat")) << id;
    EXPECT_EQ(refused(id, "vllm-chat"), "accepted") << id;
  }
  for (const char* id :
       {"likaixin/InstructCoder", "AI-MO/NuminaMath-CoT", "openslr/librispeech_asr"}) {
    EXPECT_THAT(refused(id, "vllm-chat"), HasSubstr("need the engine vllm;")) << id;
    EXPECT_EQ(refused(id, "vllm"), "accepted") << id;
    EXPECT_EQ(refused(id, "vllm-async"), "accepted") << id;
  }
}

TEST(throughput_options, adapters_need_the_engine_vllm_and_a_path) {
  EXPECT_THAT(throughput_refusal({"--enable-lora", "--lora-path", "p", "--backend", "vllm-chat"}),
              StartsWith("1: --enable-lora: needs the engine vllm"));
  EXPECT_EQ(throughput_refusal({"--enable-lora"}),
            "1: --enable-lora: needs an adapter; add --lora-path PATH");
  EXPECT_TRUE(throughput_in({"--enable-lora", "--lora-path", "p"}).lora);
  EXPECT_FALSE(throughput_in({"--lora-path", "p"}).lora);
  EXPECT_THAT(throughput_refusal({"--max-loras", "0"}), StartsWith("1: --max-loras: "));
  EXPECT_THAT(throughput_refusal({"--lora-assignment", "first"}),
              StartsWith("2: --lora-assignment: "));
}

TEST(throughput_options, the_engine_hf_needs_the_size_of_its_batch) {
  EXPECT_EQ(throughput_refusal({"--backend", "hf"}),
            "1: --backend: the engine hf needs the size of its largest batch; add "
            "--hf-max-batch-size N");
  for (const char* engine : {"vllm", "vllm-chat", "mii"})
    EXPECT_EQ(throughput_refusal({"--backend", engine, "--hf-max-batch-size", "1"}),
              "1: --hf-max-batch-size: is for the engine hf only");
  EXPECT_EQ(throughput_refusal({"--backend", "hf", "--hf-max-batch-size", "1", "-q", "awq"}),
            "1: --quantization: is for the engine vllm only");
}

TEST(throughput_options, the_engine_mii_has_limits) {
  const auto refused = [](const arguments& more) {
    return throughput_refusal(joined({"--backend", "mii", "--model", "m"}, more));
  };
  EXPECT_EQ(refused({"--quantization", "awq"}), "1: --quantization: is for the engine vllm only");
  EXPECT_EQ(refused({"--dtype", "half"}), "1: --dtype: must be auto for the engine mii");
  EXPECT_EQ(refused({"--n", "2"}), "1: --n: must be 1 for the engine mii");
  EXPECT_EQ(refused({"--tokenizer", "t"}), "1: --tokenizer: must be the model for the engine mii");
  EXPECT_EQ(refused({"--tokenizer", "m", "--dtype", "auto"}), "accepted");
}

TEST(throughput_options, data_parallel_processes_need_a_launcher) {
  EXPECT_THAT(throughput_refusal({"-dp", "2"}), StartsWith("1: --data-parallel-size: more than 1"));
  const arguments launched{"-dp", "2", "--distributed-executor-backend", "external_launcher"};
  EXPECT_EQ(throughput_in(launched).data_parallel_size, 2);
  for (const char* engine : {"vllm", "vllm-chat"})
    EXPECT_THAT(throughput_refusal(joined(launched, {"--async-engine", "--backend", engine})),
                HasSubstr("cannot be used with the asynchronous engine"));
  EXPECT_THAT(throughput_refusal({"-dp", "x"}), StartsWith("2: --data-parallel-size: "));
}

TEST(throughput_options, the_first_error_is_the_first_in_the_order_of_upstream) {
  // Each line has one error less, the earliest.
  const arguments last{"-dp", "2"};
  const arguments engine = joined({"--hf-max-batch-size", "1"}, last);
  const arguments adapters = joined({"--enable-lora"}, engine);
  const arguments hub =
      joined({"--dataset-name", "hf", "--dataset-path", "lmarena-ai/VisionArena-Chat"}, adapters);
  const arguments scheduling = joined({"--prequeue-requests", "--async-engine"}, hub);
  EXPECT_THAT(throughput_refusal(joined({"--backend", "x"}, scheduling)),
              StartsWith("2: --backend"));
  EXPECT_THAT(throughput_refusal(scheduling), StartsWith("1: --prequeue-requests"));
  EXPECT_THAT(throughput_refusal(hub), StartsWith("1: --dataset-path"));
  EXPECT_THAT(throughput_refusal(adapters), StartsWith("1: --enable-lora"));
  EXPECT_THAT(throughput_refusal(engine), StartsWith("1: --hf-max-batch-size"));
  EXPECT_THAT(throughput_refusal(last), StartsWith("1: --data-parallel-size"));
}

TEST(throughput_options, flags_of_the_command_are_not_passed_on) {
  const throughput_options found =
      throughput_in({"--model", "m", "--n", "2", "--disable-frontend-multiprocessing",
                     "--disable-detokenize", "--profile", "--output-json", "r.json"});
  EXPECT_THAT(found.passed_on.all(), ElementsAre(engine_option{"model", {"m"}}));
  EXPECT_EQ(found.tokenizer, "m");
  EXPECT_FALSE(found.detokenize);
  EXPECT_TRUE(found.profile);
  EXPECT_EQ(found.output_json, "r.json");
}

}  // namespace
}  // namespace inferbench::offline
