// The layout of the report's lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reporters/common/json_value.hpp"

namespace reporters {

inline constexpr std::size_t label_width = 40;

/// Returns `text`, followed by blanks up to a width of `to` characters.
[[nodiscard]] std::string padded(std::string_view text, std::size_t to);

/// Returns a line with `text` in the middle and `fill` on both sides, `width` characters wide. A
/// longer text is not cut.
[[nodiscard]] std::string centered(std::string_view text, char fill, std::size_t width);

/// Returns a line of the part after upstream's report.
[[nodiscard]] std::string our_line(std::string_view label, std::string_view text);

/// Returns a text or a count as it is printed; empty for any other value.
[[nodiscard]] std::string shown(const json_value* of);

/// Returns a number with `digits` digits after the point: "12.50".
[[nodiscard]] std::string decimals(double value, int digits);

/// Returns the server's text as one safe line for the terminal. Control characters, which could
/// also move the cursor, become blanks, and invalid UTF-8 becomes U+FFFD. The text is cut at 1000
/// bytes.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace reporters
