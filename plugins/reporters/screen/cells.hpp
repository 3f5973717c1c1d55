// Text in the cells of a terminal: widths, cutting, numbers and small charts. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace reporters {

/// The number of columns that valid UTF-8 takes: 2 for a wide character, 0 for a combining one.
[[nodiscard]] std::size_t columns_of(std::string_view text);

/// Returns valid UTF-8 for one line of at most `columns` columns. Control characters, which could
/// move the cursor, become blanks. A longer text is cut between two characters and ends with "..."
/// if there are at least 8 columns. If `utf8` is false, each character beyond ASCII becomes "?".
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns, bool utf8);

/// The text with blanks before or after it, up to `columns` columns.
[[nodiscard]] std::string right(std::string_view text, std::size_t columns);
[[nodiscard]] std::string left(std::string_view text, std::size_t columns);

/// Three significant digits, with k, M or G from 10,000 on, and whole numbers below as they are:
/// "0", "0.123", "12.3", "1234", "12.3k".
[[nodiscard]] std::string short_number(double value);
/// "0:07", "2:05", "1:02:03"; "?" for a time that is not finite.
[[nodiscard]] std::string time_text(double seconds);

/// A chart of the last `columns` values, one column each, from 0 to their maximum: blocks of eight
/// heights, or ASCII characters if `utf8` is false.
[[nodiscard]] std::string chart_of(std::span<const double> values, std::size_t columns, bool utf8);

/// A bar of `columns` columns with its two brackets.
[[nodiscard]] std::string progress_bar_of(double share, std::size_t columns, bool utf8);

}  // namespace reporters
