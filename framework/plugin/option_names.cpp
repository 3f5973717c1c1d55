#include "plugin/option_names.hpp"

#include <algorithm>

namespace inferbench::plugin {

namespace {

constexpr std::string_view backend_general[] = {"model",    "endpoint",   "ignore-eos",
                                                "logprobs", "extra-body", "api-key"};
constexpr std::string_view dataset_general[] = {"path",
                                                "input-len",
                                                "output-len",
                                                "no-stream",
                                                "skip-chat-template",
                                                "enable-multimodal-chat",
                                                "chat-template-kwargs",
                                                "trust-remote-code",
                                                "conversations"};
constexpr std::string_view tokenizer_general[] = {"model", "path", "trust-remote-code",
                                                  "chat-template-kwargs"};
constexpr std::string_view reporter_general[] = {
    "result-dir", "result-filename", "save-detailed", "append-result",
    "label",      "metadata",        "itl-thresholds"};

constexpr std::string_view taken_by_all[] = {"use", "sha256", "extend"};
constexpr std::string_view backend_taken[] = {"served-model-name", "lora-modules",
                                              "lora-assignment", "use-beam-search"};
constexpr std::string_view dataset_taken[] = {"num-prompts", "no-oversample", "disable-shuffle",
                                              "request-id-prefix", "salt"};

// Taken unless the option has IFB_OPT_GENERAL.
constexpr std::string_view backend_own[] = {"model", "endpoint", "ignore-eos", "logprobs",
                                            "extra-body"};
constexpr std::string_view dataset_own[] = {"path",
                                            "input-len",
                                            "output-len",
                                            "no-stream",
                                            "skip-chat-template",
                                            "enable-multimodal-chat",
                                            "chat-template-kwargs"};
constexpr std::string_view tokenizer_own[] = {"path", "trust-remote-code"};

using names_view = std::span<const std::string_view>;

struct names_of_kind {
  names_view general, taken, taken_if_own;
};

names_of_kind names_for(ifb_kind kind) noexcept {
  switch (kind) {
    case IFB_BACKEND: return {backend_general, backend_taken, backend_own};
    case IFB_DATASET: return {dataset_general, dataset_taken, dataset_own};
    case IFB_TOKENIZER: return {tokenizer_general, {}, tokenizer_own};
    case IFB_REPORTER: return {reporter_general, {}, {}};
    default: return {};
  }
}

bool contains(names_view all, std::string_view name) {
  return std::ranges::find(all, name) != all.end();
}

}  // namespace

std::span<const std::string_view> general_names(ifb_kind kind) noexcept {
  return names_for(kind).general;
}

bool is_general(ifb_kind kind, std::string_view option, std::uint32_t flags) noexcept {
  return (flags & IFB_OPT_GENERAL) != 0 && contains(names_for(kind).general, option);
}

bool is_taken(ifb_kind kind, std::string_view option, std::uint32_t flags) noexcept {
  const names_of_kind of = names_for(kind);
  return contains(taken_by_all, option) || contains(of.taken, option) ||
         ((flags & IFB_OPT_GENERAL) == 0 && contains(of.taken_if_own, option));
}

}  // namespace inferbench::plugin
