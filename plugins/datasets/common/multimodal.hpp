// Prompts with images, videos or sound, and the flag --enable-multimodal-chat, for all data sets
// that have such prompts.
#pragma once

#include <span>

#include <inferbench/abi.h>
#include <inferbench/options.hpp>
#include <inferbench/views.hpp>

namespace multimodal {

/// The option of --enable-multimodal-chat.
template <typename owner>
constexpr auto chat_option(
    bool owner::* where, const char* help = "Send text and media as one chat message made here.") {
  return ifb::option{"enable-multimodal-chat", where, help, "false"}.general().flag(
      "enable-multimodal-chat");
}

/// Stores a text and its media in the sample. `parts`: the text and, behind it, the media; they
/// must outlive the sample. `one_message`: the parts become one chat message; otherwise the text is
/// the prompt, to which the backend adds the media if its protocol has them.
inline void put(std::span<const ifb_part> parts, bool one_message, ifb_sample& out) {
  if (one_message) {
    out.shape = IFB_PROMPT_PARTS;
    out.prompt = ifb::list_of(parts);
    return;
  }
  out.shape = IFB_PROMPT_TEXT;
  out.prompt = ifb::list_of(parts.first(1));
  out.media = ifb::list_of(parts.subspan(1));
}

}  // namespace multimodal
