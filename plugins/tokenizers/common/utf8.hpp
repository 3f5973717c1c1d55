// Reads UTF-8 texts character by character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tokenizers {

struct utf8_character {
  char32_t code = 0;
  std::size_t size = 0;  // number of bytes
};

/// Returns the character that begins at the offset `at`. `text` must be valid UTF-8.
[[nodiscard]] inline utf8_character character_at(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xE0) return {(first & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
  if (first < 0xF0)
    return {(first & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
  return {(first & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U |
              (byte(3) & 0x3FU),
          4};
}

/// Returns the character that ends at the offset `end`, which must not be 0.
[[nodiscard]] inline utf8_character character_before(std::string_view text,
                                                     std::size_t end) noexcept {
  std::size_t begin = end - 1;
  while ((static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U)
    --begin;
  return character_at(text, begin);
}

void append(std::string& to, char32_t code);

/// Returns how many bytes at the beginning are ASCII.
[[nodiscard]] std::size_t ascii_prefix(std::string_view text) noexcept;
/// Returns how many bytes at the beginning are valid UTF-8.
[[nodiscard]] std::size_t valid_prefix(std::string_view text) noexcept;
/// Appends `text`. Each maximal invalid sequence becomes one U+FFFD.
void append_valid(std::string& to, std::string_view text);
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

}  // namespace tokenizers
