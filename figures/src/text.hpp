// Texts of a figure: UTF-8 that is safe to draw and to write, and how much room it takes. Pure
// functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace figures {

/// One character of a text.
struct character {
  char32_t code = 0xFFFD;
  std::size_t length = 1;  // in bytes
  bool good = false;       // false: the byte is not UTF-8, and `code` is U+FFFD
};

/// The first character; `text` must not be empty. Accepts what RFC 3629 accepts.
[[nodiscard]] character first_character(std::string_view text) noexcept;

/// The text as valid UTF-8 without control characters: a tab becomes a blank; all other control
/// characters, noncharacters, and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string clean(std::string_view text);

/// The lines of a text, clean. An empty text has no line.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// The largest width of a clean text, in units of the size of the font. The widths are those of
/// DejaVu Sans, which is wider than the other usual fonts, so that layouts do not depend on the
/// fonts of the machine.
[[nodiscard]] double width_of(std::string_view text) noexcept;

/// The clean text, or its beginning and an ellipsis, so that it is at most `widest` wide. `widest`
/// is in units of the size of the font.
[[nodiscard]] std::string shortened(std::string_view text, double widest);

}  // namespace figures
