#include "offline/long_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "offline/result_file.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

using ::testing::StartsWith;

long_document_options document_options(const std::vector<std::string>& args) {
  return long_document_options_of(line_of(args, benchmark::long_document_qa));
}
std::string document_refusal(const std::vector<std::string>& args) {
  return refusal_of([&] { return document_options(args); });
}

TEST(long_document_options, have_the_defaults_of_the_script) {
  const long_document_options found = document_options({"--model", "m"});
  EXPECT_EQ(found.engine, "vllm");
  EXPECT_EQ(found.model, "m");
  EXPECT_EQ(found.documents, 8);
  EXPECT_EQ(found.output_len, 10);
  EXPECT_EQ(found.repeat_mode, "random");
  EXPECT_EQ(found.tokenizer, "");
  EXPECT_EQ(text_of_flags(dataset_flags(found.data, false)),
            "--dataset-name=long-document --num-prompts=16 --seed=0 --tokenizer-mode=none "
            "--output-len=10 --long-document-length=20000 --long-document-count=8 "
            "--long-document-repeat-count=2 --long-document-repeat-mode=random "
            "--long-document-shuffle-seed=0");
}

TEST(long_document_options, of_the_warm_up_have_each_document_once) {
  const long_document_options found =
      document_options({"--num-documents", "3", "--repeat-count", "4", "--repeat-mode", "tile",
                        "--shuffle-seed", "5", "--document-length", "70", "--output-len", "6"});
  EXPECT_EQ(text_of_flags(dataset_flags(warmup_documents(found), false)),
            "--dataset-name=long-document --num-prompts=3 --seed=0 --tokenizer-mode=none "
            "--output-len=6 --long-document-length=70 --long-document-count=3 "
            "--long-document-repeat-count=4 --long-document-repeat-mode=tile "
            "--long-document-shuffle-seed=5 --long-document-warm-up=true");
}

TEST(long_document_options, name_a_tokenizer_only_for_a_server) {
  const std::vector<std::string> named{"--tokenizer", "t", "--tokenizer-mode", "bytes"};
  EXPECT_EQ(document_options(named).data.tokenizer, std::nullopt);
  EXPECT_EQ(document_options(named).data.tokenizer_mode, "none");
  std::vector<std::string> with_server = named;
  with_server.insert(with_server.end(), {"--base-url", "http://h"});
  EXPECT_EQ(document_options(with_server).tokenizer, "t");
  EXPECT_EQ(document_options(with_server).data.tokenizer_mode, "bytes");
  EXPECT_EQ(document_options({"--base-url", "http://h", "--model", "m"}).data.tokenizer_mode,
            "none");
}

TEST(long_document_options, that_cannot_be_used_are_refused) {
  EXPECT_EQ(document_refusal({"--repeat-mode", "tiles"}),
            "2: --repeat-mode: \"tiles\" is not one of random, tile, interleave; did you mean "
            "tile?");
  EXPECT_EQ(document_refusal({"--document-length", "0"}),
            "1: --document-length: must be at least 1, not 0");
  EXPECT_THAT(document_refusal({"--document-length", "long"}), StartsWith("2: --document-length"));
  EXPECT_EQ(document_refusal({"--shuffle-seed", "-1"}),
            "1: --shuffle-seed: must be at least 0, not -1");
  EXPECT_THAT(document_refusal({"--num-documents", "100000", "--repeat-count", "100000"}),
              StartsWith("1: --repeat-count: 100000 prompts, repeated 100000 times, are more"));
  EXPECT_THAT(document_refusal({"--seed", "4294967296"}), StartsWith("1: --seed"));
}

TEST(long_document_texts, are_those_of_the_golden_file) {
  support::expect_golden(repeat_mode_text("interleave") + long_document_text(0.14039) +
                             long_document_text(1234) +
                             result_text(long_document_json(1234, 0.25, 16)) + "\n",
                         std::string(INFERBENCH_FIXTURES) + "/offline/long_document.txt");
}

}  // namespace
}  // namespace inferbench::offline
