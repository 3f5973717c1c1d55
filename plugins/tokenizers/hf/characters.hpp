// The kinds of a character, as the parts of a tokenizer need them. The reference uses several
// libraries with different Unicode versions; these functions return the same results. All functions
// are [any thread].
#pragma once

#include <cstdint>

namespace tokenizers::hf {

namespace kind {
inline constexpr std::uint8_t white_space = 1;
inline constexpr std::uint8_t word = 2;
inline constexpr std::uint8_t numeric = 4;
inline constexpr std::uint8_t punctuation = 8;
inline constexpr std::uint8_t mark = 16;
inline constexpr std::uint8_t nonspacing_mark = 32;
inline constexpr std::uint8_t control = 64;
}  // namespace kind

/// Returns the kinds of a character, which must not be ASCII.
[[nodiscard]] std::uint8_t kinds_beyond_ascii(char32_t c) noexcept;

[[nodiscard]] constexpr std::uint8_t kinds_of_ascii(char32_t c) noexcept {
  const auto between = [&](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (c == ' ') return kind::white_space;
  if (between('0', '9')) return kind::word | kind::numeric;
  if (between('a', 'z') || between('A', 'Z')) return kind::word;
  if (c == '_') return kind::word | kind::punctuation;
  if (between('!', '~')) return kind::punctuation;
  return between('\t', '\r') ? kind::control | kind::white_space : kind::control;
}

[[nodiscard]] inline std::uint8_t kinds_of(char32_t c) noexcept {
  return c < 0x80 ? kinds_of_ascii(c) : kinds_beyond_ascii(c);
}

/// Like Rust's char::is_whitespace: Unicode's White_Space.
[[nodiscard]] inline bool is_white_space(char32_t c) noexcept {
  return (kinds_of(c) & kind::white_space) != 0;
}
/// \w: letters, marks, decimal digits, connectors and joiners.
[[nodiscard]] inline bool is_word(char32_t c) noexcept { return (kinds_of(c) & kind::word) != 0; }
/// General category N.
[[nodiscard]] inline bool is_numeric(char32_t c) noexcept {
  return (kinds_of(c) & kind::numeric) != 0;
}
/// General category P of Unicode 8, and ASCII punctuation, such as '$'.
[[nodiscard]] inline bool is_punctuation(char32_t c) noexcept {
  return (kinds_of(c) & kind::punctuation) != 0;
}
/// General category M of Unicode 9.
[[nodiscard]] inline bool is_mark(char32_t c) noexcept { return (kinds_of(c) & kind::mark) != 0; }
/// General category Mn of Unicode 8.
[[nodiscard]] inline bool is_nonspacing_mark(char32_t c) noexcept {
  return (kinds_of(c) & kind::nonspacing_mark) != 0;
}
/// General categories Cc, Cf and Co of Unicode 8.
[[nodiscard]] inline bool is_control(char32_t c) noexcept {
  return (kinds_of(c) & kind::control) != 0;
}

/// Returns the lower-case form. For U+0130, which becomes two characters, returns 'i'.
[[nodiscard]] char32_t lower_case(char32_t c) noexcept;

}  // namespace tokenizers::hf
