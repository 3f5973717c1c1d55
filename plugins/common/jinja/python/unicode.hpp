// Python's strings: sequences of code points with properties. All text here is valid UTF-8; text
// from outside is checked when it enters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace jinja::unicode {

[[nodiscard]] bool valid(std::string_view text) noexcept;
/// Returns the number of code points.
[[nodiscard]] std::size_t length(std::string_view text) noexcept;
/// Returns the byte offset of the code point with this index; the size of the text if there is
/// none.
[[nodiscard]] std::size_t offset(std::string_view text, std::size_t index) noexcept;
/// Returns the number of bytes of the code point that begins with the byte `lead`.
[[nodiscard]] constexpr std::size_t width(char lead) noexcept {
  const auto c = static_cast<unsigned char>(lead);
  if (c < 0x80) return 1;
  if (c < 0xe0) return 2;
  return c < 0xf0 ? 3 : 4;
}
/// Returns the code point at the offset `at`, and moves `at` to its end.
[[nodiscard]] char32_t next(std::string_view text, std::size_t& at) noexcept;
/// Returns the code point before the offset `at`, and moves `at` to its beginning.
[[nodiscard]] char32_t previous(std::string_view text, std::size_t& at) noexcept;
void append(std::string& out, char32_t point);

/// str.isspace of one code point. The regular expression \s and strip() use the same set.
[[nodiscard]] bool space(char32_t c) noexcept;
/// Returns whether splitlines() splits at this code point.
[[nodiscard]] bool line_break(char32_t c) noexcept;
[[nodiscard]] bool printable(char32_t c) noexcept;
[[nodiscard]] bool letter(char32_t c) noexcept;
[[nodiscard]] bool decimal(char32_t c) noexcept;
[[nodiscard]] bool digit(char32_t c) noexcept;
[[nodiscard]] bool numeric(char32_t c) noexcept;
/// Returns whether the regular expression \w matches.
[[nodiscard]] bool word(char32_t c) noexcept;
[[nodiscard]] bool identifier_start(char32_t c) noexcept;
[[nodiscard]] bool identifier(char32_t c) noexcept;
[[nodiscard]] bool lower(char32_t c) noexcept;
[[nodiscard]] bool upper(char32_t c) noexcept;
[[nodiscard]] bool title(char32_t c) noexcept;

[[nodiscard]] std::string to_upper(std::string_view text);
[[nodiscard]] std::string to_lower(std::string_view text);
/// Returns the text with the first letter of each word in upper case and the rest in lower case.
[[nodiscard]] std::string to_title(std::string_view text);
[[nodiscard]] std::string capitalize(std::string_view text);
[[nodiscard]] std::string swap_case(std::string_view text);
[[nodiscard]] std::string fold_case(std::string_view text);

[[nodiscard]] std::string_view strip_left(std::string_view text) noexcept;
[[nodiscard]] std::string_view strip_right(std::string_view text) noexcept;

}  // namespace jinja::unicode
