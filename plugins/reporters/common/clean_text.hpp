// Texts of servers and users in a form that is safe in a report. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace reporters {

/// An error message of more bytes is cut in reports that keep one line for each request.
inline constexpr std::size_t longest_error = 2048;

/// Returns the text as valid UTF-8: malformed sequences and zero bytes become U+FFFD.
[[nodiscard]] std::string clean_text(std::string_view text);

/// Returns the text as one line of valid UTF-8: control characters, also line ends, become blanks.
/// A text of more than `limit` bytes is cut, and "..." follows. `limit` 0: the text is not cut.
[[nodiscard]] std::string clean_line(std::string_view text, std::size_t limit = 0);

/// Returns the time as ISO 8601 in UTC with microseconds: "2026-11-20T06:30:00.000000Z".
[[nodiscard]] std::string utc_text(std::int64_t unix_ns);

/// Appends the shortest decimal number that reads back as `value`: "0.1", "1e+300", "nan", "inf".
void append_number(std::string& out, double value);
/// Appends `ns` in milliseconds, exactly: "12.5", "-0.000001", "3".
void append_ms(std::string& out, std::int64_t ns);

}  // namespace reporters
