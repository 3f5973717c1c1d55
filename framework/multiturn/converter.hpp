// Makes a file of conversations from a ShareGPT file, as vLLM's script
// convert_sharegpt_to_openai does. The choice and the order are those of Python's random.shuffle
// and random.sample with the seed.
#pragma once

#include <string>
#include <vector>

#include "multiturn/converter_options.hpp"
#include "multiturn/sharegpt_entries.hpp"

namespace inferbench::multiturn {

struct chat_message {
  std::string role;  // "user", "assistant" or "system"
  std::string content;
};

struct chat {
  std::string id;
  std::vector<chat_message> messages;
};

/// Pure. Shuffles the entries, joins the parts of each conversation in the order of their numbers,
/// and translates the speakers. Then, for each conversation in this order:
///   - a conversation with fewer than min_turns messages is left out;
///   - only the first max_turns messages are kept;
///   - a first message that is not the user's is removed;
///   - a conversation with a message shorter than min_content or longer than max_content is left
///     out;
///   - messages that the filter refuses are removed;
///   - a conversation without messages, or in which user and assistant do not alternate, the user
///     first, is left out.
/// Finally chooses max_items conversations if there are more. Throws base::error if nothing is
/// left, or if an entry has an unknown speaker or an id that is not TEXT_NUMBER with exactly one
/// "_"; the message names the first such entry and the number of such entries.
[[nodiscard]] std::vector<chat> convert(std::vector<sharegpt_entry> entries,
                                        const converter_options& wanted);

/// The file: a JSON list with an indentation of 2 blanks, characters beyond ASCII as they are.
[[nodiscard]] std::string chats_text(const std::vector<chat>& chats);

/// The statistics as lines: conversations, messages of a conversation, characters of a message.
/// `chats` must not be empty.
[[nodiscard]] std::vector<std::string> chat_statistics(const std::vector<chat>& chats);

/// Reads, converts and writes the files of `wanted`, and returns the lines for the user, with the
/// number of malformed entries that were left out. Throws base::error.
[[nodiscard]] std::vector<std::string> convert_file(const converter_options& wanted);

}  // namespace inferbench::multiturn
