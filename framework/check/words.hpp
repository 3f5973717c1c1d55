// The tokenizer that the kit lends to plugins: 1000 words " w000" to " w999" and, for all other
// text, a token for each byte. Texts of words survive encoding and decoding unchanged, and so do
// their ids; a dataset draws only words. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::check {

inline constexpr std::uint32_t word_count = 1000;
inline constexpr std::uint32_t token_count = word_count + 256;  // the ids of bytes come after the
                                                                // ids of words

[[nodiscard]] std::vector<std::uint32_t> tokens_of(std::string_view text);
/// The text of the tokens. Ids outside the vocabulary are left out.
[[nodiscard]] std::string text_of(std::span<const std::uint32_t> ids);

/// A prompt from a chat {"messages": [...]}: a line "role: content" for each message, and
/// "assistant:" at the end. A content that is not a text is written as JSON. Throws base::error if
/// `chat` is not JSON or has no list `messages`.
[[nodiscard]] std::string prompt_of(std::string_view chat);

}  // namespace inferbench::check
