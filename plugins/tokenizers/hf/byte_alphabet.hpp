// The alphabet in which GPT-2 spells bytes: one character for each byte, without white space and
// control characters. A printable Latin-1 byte is spelled as itself. The other 68 bytes are spelled
// as U+0100 to U+0143.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tokenizers::hf {

struct byte_spelling {
  char text[2];
  unsigned char size;  // 1 or 2
};
[[nodiscard]] const byte_spelling& spell(unsigned char byte) noexcept;

/// Appends the bytes that `token` spells. If `token` contains a character that is not in the
/// alphabet, returns false and appends nothing. `token` must be valid UTF-8.
bool append_bytes(std::string& to, std::string_view token);

}  // namespace tokenizers::hf
