// The tokens of HTTP: methods and the names of header fields are tokens. Pure functions; any
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace inferbench::base {

/// The grammar of RFC 9110, section 5.6.2, with an entry for each byte: true for tchar, which is an
/// ASCII letter, an ASCII digit or a character of !#$%&'*+-.^_`|~.
inline constexpr std::array<bool, 256> token_characters = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = '0'; c <= '9'; ++c)
    table[c] = true;
  for (std::size_t c = 'a'; c <= 'z'; ++c)
    table[c] = true;
  for (std::size_t c = 'A'; c <= 'Z'; ++c)
    table[c] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// Whether a token may contain the character (tchar of the RFC). Does not depend on the locale.
[[nodiscard]] constexpr bool is_token_character(char c) noexcept {
  return token_characters[static_cast<unsigned char>(c)];
}

/// Whether the text is a token: at least one character, and only characters of tokens.
[[nodiscard]] constexpr bool is_token(std::string_view text) noexcept {
  for (const char c : text)
    if (!is_token_character(c)) return false;
  return !text.empty();
}

}  // namespace inferbench::base
