// How lines of the report are laid out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reporters/common/json_value.hpp"

namespace reporters {

inline constexpr std::size_t label_width = 40;

/// `text` and blanks up to `to` characters.
[[nodiscard]] std::string padded(std::string_view text, std::size_t to);

/// A line of our part.
[[nodiscard]] std::string our_line(std::string_view label, std::string_view text);

/// As it is printed: a text, or a count.
[[nodiscard]] std::string shown(const json_value* of);

/// "12.50"
[[nodiscard]] std::string decimals(double value, int digits);

/// One line of the terminal whatever the server wrote: control characters, which
/// could also move the cursor, become blanks, and bad UTF-8 U+FFFD. Cut at 1000 bytes.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace reporters
