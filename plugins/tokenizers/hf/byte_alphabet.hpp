// The alphabet in which GPT-2 spells bytes: a character for each, none of them white space or
// control. Printable Latin-1 stands for itself, the other 68 bytes are U+0100 to U+0143.
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

/// Appends the bytes that `token` spells; nothing, and false, if it has another character.
/// `token` is valid UTF-8.
bool append_bytes(std::string& to, std::string_view token);

}  // namespace tokenizers::hf
