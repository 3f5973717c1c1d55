#include "dataset/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include <inferbench/views.hpp>

#include "plugin/struct_copy.hpp"

namespace inferbench::dataset {

namespace {

// Whether the list can be read: it has elements, and their distance is known.
template <typename list>
bool readable(const list& items) noexcept {
  return items.count == 0 || (items.first != nullptr && (items.count == 1 || items.stride != 0));
}

bool known(std::uint32_t kind) noexcept { return kind >= IFB_PART_TEXT && kind <= IFB_PART_JSON; }

// Whether `good` holds for the kind of each part.
template <typename test>
bool all_kinds(const ifb_part_list& list, test&& good) noexcept {
  for (std::uint32_t i = 0; i < list.count; ++i)
    if (!good(ifb::view(list)[i].kind)) return false;
  return true;
}

bool all_of(const ifb_part_list& list, std::uint32_t kind) noexcept {
  return readable(list) && all_kinds(list, [&](std::uint32_t found) { return found == kind; });
}

bool all_known(const ifb_part_list& list) noexcept {
  return readable(list) && all_kinds(list, known);
}

bool all_known(const ifb_message_list& list) noexcept {
  if (!readable(list)) return false;
  for (std::uint32_t i = 0; i < list.count; ++i)
    if (!all_known(ifb::view(list)[i].parts)) return false;
  return true;
}

constexpr const char* unknown_kind =
    "a part of its prompt has a kind that this version of inferbench does not know";

}  // namespace

const char* wrong_with(const ifb_sample& sample) noexcept {
  const ifb_part_list& prompt = sample.prompt;
  const auto one = [&](std::uint32_t kind) { return prompt.count == 1 && all_of(prompt, kind); };
  const auto some = [&](std::uint32_t kind) { return prompt.count > 0 && all_of(prompt, kind); };
  if (!readable(sample.media)) return "its media are no list of parts";
  if (sample.input_tokens < -1 || sample.output_tokens < -1)
    return "its number of tokens is negative, and only -1 is allowed, for an unknown number";
  switch (sample.shape) {
    case 0: return "it has no prompt: its shape is not set";
    case IFB_PROMPT_TEXT:
      return one(IFB_PART_TEXT) ? nullptr : "a prompt of text must be one text part";
    case IFB_PROMPT_TEXTS:
      return some(IFB_PART_TEXT) ? nullptr : "a prompt of texts must be text parts";
    case IFB_PROMPT_TOKENS:
      return one(IFB_PART_TOKENS) ? nullptr : "a prompt of tokens must be one part of tokens";
    case IFB_PROMPT_TOKEN_LISTS:
      return some(IFB_PART_TOKENS) ? nullptr : "a prompt of token lists must be parts of tokens";
    case IFB_PROMPT_PARTS:
      if (prompt.count == 0 || !readable(prompt)) return "a prompt of parts must have parts";
      return all_known(prompt) ? nullptr : unknown_kind;
    case IFB_PROMPT_CHAT:
      if (sample.messages.count == 0 || !readable(sample.messages))
        return "a chat prompt must have messages";
      for (std::uint32_t i = 0; i < sample.messages.count; ++i)
        if (!readable(ifb::view(sample.messages)[i].parts))
          return "a message of the chat prompt has no list of parts";
      return all_known(sample.messages) ? nullptr : unknown_kind;
    case IFB_PROMPT_JSON:
      return one(IFB_PART_JSON) ? nullptr : "a JSON prompt must be one JSON part";
    default: return "its prompt has a shape that this version of inferbench does not know";
  }
}

bool is_known(const ifb_sample& sample) noexcept {
  if (sample.shape > IFB_PROMPT_JSON) return false;
  const auto fine = [](const ifb_part_list& list) { return !readable(list) || all_known(list); };
  if (!fine(sample.prompt)) return false;
  if (sample.shape != IFB_PROMPT_CHAT || !readable(sample.messages)) return true;
  for (std::uint32_t i = 0; i < sample.messages.count; ++i)
    if (!fine(ifb::view(sample.messages)[i].parts)) return false;
  return true;
}

void drop_unknown_media(sample& from) noexcept {
  const ifb_part_list all = from.c.media;
  if (all_known(all)) return;
  from.c.media = {};
  auto* const kept = static_cast<ifb_part*>(from.arena.alloc(all.count * sizeof(ifb_part)));
  if (kept == nullptr) return;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < all.count; ++i) {
    const ifb_part& part = ifb::view(all)[i];
    if (!known(part.kind)) continue;
    kept[count++] = plugin::struct_copy(part);
  }
  if (count != 0) from.c.media = ifb::list_of(std::span<const ifb_part>(kept, count));
}

}  // namespace inferbench::dataset
