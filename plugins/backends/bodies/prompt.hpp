// The prompt of a sample as the protocols spell it. Each function writes one JSON
// value, and fails with IFB_E_UNSUPPORTED if the protocol has no form for the sample.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

namespace bodies {

class gather_list;

/// Fails with IFB_E_UNSUPPORTED.
[[noreturn]] void refuse(std::string what);

/// The words of a refusal: "completions take text or token ids", "use backend openai-chat".
struct prompt_words {
  std::string_view takes;
  std::string_view for_messages;
};

/// `prompt` of completions, `input` of embeddings: a string, a list of strings, a list of
/// token ids or a list of such lists.
void put_prompt(const ifb_sample& sample, gather_list& out, const prompt_words& words);

/// How many inputs put_prompt() writes: strings or lists of token ids.
[[nodiscard]] std::size_t prompt_count(const ifb_sample& sample) noexcept;

/// `messages` of chat. Shape CHAT: each message as its JSON says, or role and
/// content; content is a string when the message is one text, else a list of parts. The
/// same for shape TEXT with messages: a template made the text of them.
/// Shapes TEXT without messages and PARTS: one user message whose content is the list of
/// the prompt's parts followed by those of `media`. `for_text`: the backend that takes other
/// prompts.
void put_messages(const ifb_sample& sample, gather_list& out, std::string_view for_text);

/// One user message with these parts.
void put_user_message(std::initializer_list<ifb_part_list> content, gather_list& out);

/// The value of {"url": ...}: the URI of a part, or its bytes as a data: URI, as one JSON
/// string. `mime`: the type of a part that has none.
void put_url(const ifb_part& part, std::string_view mime, gather_list& out);

/// The only part of a prompt of one part.
[[nodiscard]] const ifb_part& single(const ifb_sample& sample);

}  // namespace bodies
