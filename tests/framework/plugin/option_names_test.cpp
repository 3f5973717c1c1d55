// The lists of abi.h, "GENERAL OPTIONS" and "TAKEN NAMES".
#include "plugin/option_names.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/library.hpp"

namespace inferbench::plugin {
namespace {

using testing::UnorderedElementsAre;

std::vector<std::string> general(ifb_kind kind) {
  const auto names = general_names(kind);
  return {names.begin(), names.end()};
}

// All names that any list contains, and a name that no list contains.
std::vector<std::string> all_names() {
  std::vector<std::string> out = {"use",
                                  "sha256",
                                  "extend",
                                  "served-model-name",
                                  "lora-modules",
                                  "lora-assignment",
                                  "use-beam-search",
                                  "num-prompts",
                                  "no-oversample",
                                  "disable-shuffle",
                                  "request-id-prefix",
                                  "salt",
                                  "colour"};
  for (const ifb_kind kind : all_kinds)
    for (const std::string_view name : general_names(kind))
      if (std::ranges::find(out, name) == out.end()) out.emplace_back(name);
  return out;
}

std::vector<std::string> taken(ifb_kind kind, std::uint32_t flags) {
  std::vector<std::string> out;
  for (const std::string& name : all_names())
    if (is_taken(kind, name, flags)) out.push_back(name);
  return out;
}

TEST(option_names, general_names_are_those_of_the_contract) {
  EXPECT_THAT(general(IFB_BACKEND), UnorderedElementsAre("model", "endpoint", "ignore-eos",
                                                         "logprobs", "extra-body", "api-key"));
  EXPECT_THAT(general(IFB_DATASET),
              UnorderedElementsAre("path", "input-len", "output-len", "no-stream",
                                   "skip-chat-template", "enable-multimodal-chat",
                                   "chat-template-kwargs", "trust-remote-code", "conversations"));
  EXPECT_THAT(general(IFB_TOKENIZER),
              UnorderedElementsAre("model", "path", "trust-remote-code", "chat-template-kwargs"));
  EXPECT_THAT(general(IFB_REPORTER),
              UnorderedElementsAre("result-dir", "result-filename", "save-detailed",
                                   "append-result", "label", "metadata", "itl-thresholds"));
  EXPECT_TRUE(general_names(5).empty());
}

TEST(option_names, an_option_is_general_by_its_bit_and_its_name) {
  EXPECT_TRUE(is_general(IFB_BACKEND, "model", IFB_OPT_GENERAL | IFB_OPT_REQUIRED));
  EXPECT_FALSE(is_general(IFB_BACKEND, "model", IFB_OPT_REQUIRED));
  EXPECT_FALSE(is_general(IFB_BACKEND, "label", IFB_OPT_GENERAL));
  // A general name of a later version is the plugin's own in this version.
  EXPECT_FALSE(is_general(IFB_BACKEND, "base-url", IFB_OPT_GENERAL));
  EXPECT_FALSE(is_taken(IFB_BACKEND, "base-url", IFB_OPT_GENERAL));
}

TEST(option_names, taken_names_are_those_of_the_contract) {
  EXPECT_THAT(taken(IFB_BACKEND, IFB_OPT_GENERAL),
              UnorderedElementsAre("use", "sha256", "extend", "served-model-name", "lora-modules",
                                   "lora-assignment", "use-beam-search"));
  EXPECT_THAT(taken(IFB_BACKEND, 0),
              UnorderedElementsAre("use", "sha256", "extend", "served-model-name", "lora-modules",
                                   "lora-assignment", "use-beam-search", "model", "endpoint",
                                   "ignore-eos", "logprobs", "extra-body"));
  EXPECT_THAT(taken(IFB_DATASET, IFB_OPT_GENERAL),
              UnorderedElementsAre("use", "sha256", "extend", "num-prompts", "no-oversample",
                                   "disable-shuffle", "request-id-prefix", "salt"));
  EXPECT_THAT(taken(IFB_DATASET, 0),
              UnorderedElementsAre("use", "sha256", "extend", "num-prompts", "no-oversample",
                                   "disable-shuffle", "request-id-prefix", "salt", "path",
                                   "input-len", "output-len", "no-stream", "skip-chat-template",
                                   "enable-multimodal-chat", "chat-template-kwargs"));
  EXPECT_THAT(taken(IFB_TOKENIZER, IFB_OPT_GENERAL),
              UnorderedElementsAre("use", "sha256", "extend"));
  EXPECT_THAT(taken(IFB_TOKENIZER, 0),
              UnorderedElementsAre("use", "sha256", "extend", "path", "trust-remote-code"));
  EXPECT_THAT(taken(IFB_REPORTER, 0), UnorderedElementsAre("use", "sha256", "extend"));
}

}  // namespace
}  // namespace inferbench::plugin
