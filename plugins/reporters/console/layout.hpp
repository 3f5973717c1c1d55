// The layout of the report's lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reporters/common/json_value.hpp"

namespace reporters {

inline constexpr std::size_t label_width = 40;

/// `text` and blanks up to `to` characters.
[[nodiscard]] std::string padded(std::string_view text, std::size_t to);

/// A line of the part behind upstream's report.
[[nodiscard]] std::string our_line(std::string_view label, std::string_view text);

/// A value as it is printed: a text, or a count.
[[nodiscard]] std::string shown(const json_value* of);

/// "12.50"
[[nodiscard]] std::string decimals(double value, int digits);

/// The server's text as one safe line of the terminal: control characters, which could also move
/// the cursor, become blanks, and bad UTF-8 U+FFFD. Cut at 1000 bytes.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace reporters
