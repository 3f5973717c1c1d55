// The tokenizer that the kit lends to plugins: 1000 words " w000" to " w999" and, for everything
// else, a token for each byte. Lossless both ways for the words, and a dataset draws nothing
// else. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::check {

inline constexpr std::uint32_t word_count = 1000;
inline constexpr std::uint32_t token_count = word_count + 256;  // ids of bytes come after the words

[[nodiscard]] std::vector<std::uint32_t> tokens_of(std::string_view text);
/// Ids beyond the vocabulary are left out.
[[nodiscard]] std::string text_of(std::span<const std::uint32_t> ids);

/// "role: content" lines of {"messages": [...]}, with "assistant:" behind them. Throws
/// base::error where `chat` is not such an object.
[[nodiscard]] std::string prompt_of(std::string_view chat);

}  // namespace inferbench::check
