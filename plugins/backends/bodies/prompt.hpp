// Writes the prompt of a sample as the protocols require it. Each function writes one JSON value,
// and fails with IFB_E_UNSUPPORTED if the protocol cannot express the sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

namespace bodies {

class gather_list;

/// Throws ifb::failure, IFB_E_UNSUPPORTED.
[[noreturn]] void refuse(std::string what);

/// The words of the message of a refusal: "completions take text or token ids", "use backend
/// openai-chat".
struct prompt_words {
  std::string_view takes;
  std::string_view for_messages;
};

/// Writes the member `prompt` of completions or `input` of embeddings: a string, a list of strings,
/// a list of token ids, or a list of lists of token ids.
void put_prompt(const ifb_sample& sample, gather_list& out, const prompt_words& words);

/// Returns how many inputs put_prompt() writes. An input is a string or a list of token ids.
[[nodiscard]] std::size_t prompt_count(const ifb_sample& sample) noexcept;

/// The content of a chat message: a string or a list of parts, as in OpenAI's protocol, or always a
/// string (text_message.hpp).
enum class content_form : std::uint8_t { parts, text };

/// Writes the member `messages` of chat. If the shape is CHAT, or TEXT with messages (a template
/// made the text from them), each message is written as its JSON, or as role and content. The
/// content is a string if the message is one text, otherwise a list of parts.
/// If the shape is TEXT without messages, or PARTS, one user message is written. Its content is the
/// list of the prompt's parts followed by the parts of `media`. With content_form::text the content
/// is the text of the prompt's parts, and `media` are left out.
/// `for_text` is the name of the backend that takes other prompts; the error message names it.
void put_messages(const ifb_sample& sample, gather_list& out, std::string_view for_text,
                  content_form form = content_form::parts);

/// Writes one user message with these parts.
void put_user_message(std::initializer_list<ifb_part_list> content, gather_list& out);

/// Writes the value of {"url": ...} as one JSON string: the URI of a part, or its bytes as a data:
/// URI. `mime` is the type for a part that does not have a type.
void put_url(const ifb_part& part, std::string_view mime, gather_list& out);

/// Returns the only part of a prompt that has one part.
[[nodiscard]] const ifb_part& single(const ifb_sample& sample);

}  // namespace bodies
