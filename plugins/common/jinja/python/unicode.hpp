// Strings as in Python: sequences of code points with properties. All text here is valid UTF-8;
// text from outside is checked where it enters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace jinja::unicode {

[[nodiscard]] bool valid(std::string_view text) noexcept;
/// The number of code points.
[[nodiscard]] std::size_t length(std::string_view text) noexcept;
/// The byte where the code point of this index begins; the size past the end.
[[nodiscard]] std::size_t offset(std::string_view text, std::size_t index) noexcept;
/// Bytes of the code point that begins with this byte.
[[nodiscard]] constexpr std::size_t width(char lead) noexcept {
  const auto c = static_cast<unsigned char>(lead);
  if (c < 0x80) return 1;
  if (c < 0xe0) return 2;
  return c < 0xf0 ? 3 : 4;
}
/// The code point at a byte, which moves behind it.
[[nodiscard]] char32_t next(std::string_view text, std::size_t& at) noexcept;
/// The code point before a byte, which moves to its beginning.
[[nodiscard]] char32_t previous(std::string_view text, std::size_t& at) noexcept;
void append(std::string& out, char32_t point);

/// str.isspace of one code point, which is also the regular expression \s and strip()'s white
/// space.
[[nodiscard]] bool space(char32_t c) noexcept;
/// Whether splitlines() splits at it.
[[nodiscard]] bool line_break(char32_t c) noexcept;
[[nodiscard]] bool printable(char32_t c) noexcept;
[[nodiscard]] bool letter(char32_t c) noexcept;
[[nodiscard]] bool decimal(char32_t c) noexcept;
[[nodiscard]] bool digit(char32_t c) noexcept;
[[nodiscard]] bool numeric(char32_t c) noexcept;
/// The regular expression \w.
[[nodiscard]] bool word(char32_t c) noexcept;
[[nodiscard]] bool identifier_start(char32_t c) noexcept;
[[nodiscard]] bool identifier(char32_t c) noexcept;
[[nodiscard]] bool lower(char32_t c) noexcept;
[[nodiscard]] bool upper(char32_t c) noexcept;
[[nodiscard]] bool title(char32_t c) noexcept;

[[nodiscard]] std::string to_upper(std::string_view text);
[[nodiscard]] std::string to_lower(std::string_view text);
/// The first letter of each word upper case, the rest lower case.
[[nodiscard]] std::string to_title(std::string_view text);
[[nodiscard]] std::string capitalize(std::string_view text);
[[nodiscard]] std::string swap_case(std::string_view text);
[[nodiscard]] std::string fold_case(std::string_view text);

[[nodiscard]] std::string_view strip_left(std::string_view text) noexcept;
[[nodiscard]] std::string_view strip_right(std::string_view text) noexcept;

}  // namespace jinja::unicode
