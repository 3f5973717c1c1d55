#include "dataset/shape.hpp"

#include <cstdint>

#include <inferbench/views.hpp>

namespace inferbench::dataset {

namespace {

// Whether all parts of the list have the kind `kind`; 0 accepts every known kind.
bool all_of(const ifb_part_list& list, std::uint32_t kind) noexcept {
  if (list.count == 0) return true;
  if (list.first == nullptr || (list.count > 1 && list.stride == 0)) return false;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const std::uint32_t found = ifb::view(list)[i].kind;
    if (kind == 0 ? found < IFB_PART_TEXT || found > IFB_PART_JSON : found != kind) return false;
  }
  return true;
}

bool whole(const ifb_message_list& list) noexcept {
  if (list.first == nullptr || (list.count > 1 && list.stride == 0)) return false;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    if (!all_of(ifb::view(list)[i].parts, 0)) return false;
  }
  return true;
}

}  // namespace

const char* wrong_with(const ifb_sample& sample) noexcept {
  const ifb_part_list& prompt = sample.prompt;
  const auto one = [&](std::uint32_t kind) { return prompt.count == 1 && all_of(prompt, kind); };
  const auto some = [&](std::uint32_t kind) { return prompt.count > 0 && all_of(prompt, kind); };
  if (!all_of(sample.media, 0)) return "its media are no list of parts";
  switch (sample.shape) {
    case IFB_PROMPT_TEXT:
      return one(IFB_PART_TEXT) ? nullptr : "a prompt of text must be one text part";
    case IFB_PROMPT_TEXTS:
      return some(IFB_PART_TEXT) ? nullptr : "a prompt of texts must be text parts";
    case IFB_PROMPT_TOKENS:
      return one(IFB_PART_TOKENS) ? nullptr : "a prompt of tokens must be one part of tokens";
    case IFB_PROMPT_TOKEN_LISTS:
      return some(IFB_PART_TOKENS) ? nullptr : "a prompt of token lists must be parts of tokens";
    case IFB_PROMPT_PARTS:
      return some(0) ? nullptr : "a prompt of parts must have parts of known kinds";
    case IFB_PROMPT_CHAT:
      return sample.messages.count > 0 && whole(sample.messages)
                 ? nullptr
                 : "a chat prompt must have messages";
    case IFB_PROMPT_JSON:
      return one(IFB_PART_JSON) ? nullptr : "a JSON prompt must be one JSON part";
    default: return "it has no prompt of a known shape";
  }
}

}  // namespace inferbench::dataset
