// Functions on text that several parts of the framework use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/text.hpp>

namespace inferbench::base {

using ifb::trim;

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// The lower case of an ASCII letter; any other byte as it is. Unlike std::tolower() it does not
/// depend on the locale, and takes no time to look it up.
[[nodiscard]] constexpr char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// A copy of the text with each ASCII letter in lower case.
[[nodiscard]] std::string lower_case(std::string_view text);

[[nodiscard]] bool equal_letters(std::string_view a, std::string_view b) noexcept;
/// Whether two texts are equal if the case of ASCII letters is ignored. Compares the lengths first,
/// because most names of HTTP headers differ in length.
[[nodiscard]] inline bool equal_no_case(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && equal_letters(a, b);
}

/// The candidate with the smallest edit distance to `name`; a swap of two neighbouring characters
/// counts as one edit. Empty if all distances are greater than a third of the length of `name` (and
/// greater than 1).
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);

/// The word in the form in which a shell reads it: in single quotes if that is necessary.
[[nodiscard]] std::string shell_word(std::string_view word);

/// A row of a help text: `left`, and from the column `indent` on the words of `help`, in lines of
/// at most `width` characters. At least two blanks lie between them. Ends with a line break.
[[nodiscard]] std::string help_row(std::string left, std::string_view help, std::size_t indent,
                                   std::size_t width);

/// "did you mean --request-rate?" or "".
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string> candidates);

/// Parse a number; nullopt if the text contains anything else. parse_float also accepts inf, nan
/// and 1e3.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text) noexcept;
[[nodiscard]] std::optional<double> parse_float(std::string_view text) noexcept;

/// The shortest text that reads back as `value`, in the layout of Python's repr(): 10.0, 0.5,
/// 1e+16, inf, nan.
[[nodiscard]] std::string shortest(double value);

/// The text of a count or a setting that a file gives as a floating-point number: without a decimal
/// point if it is whole and less than 1e15 in size, else shortest() of it: 128, 0.5, 1e+300, inf.
[[nodiscard]] std::string whole_or_shortest(double value);

/// The bytes of a file. Throws error, which names the path.
[[nodiscard]] std::string read_file(const std::string& path);

/// Like read_file(), for a file that another program has made: it never waits. Throws error, which
/// names the path, if the path, after its links, is no regular file (a named pipe, a device, a
/// folder), and if the file has more than `most` bytes.
[[nodiscard]] std::string read_regular_file(const std::string& path, std::size_t most);

/// The SHA-256 of a file in lower-case hexadecimal digits. Throws error, which names the path.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

/// A copy of the text in which each maximal invalid UTF-8 sequence is replaced by one U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// The text as one line: valid_utf8() of it, with a blank instead of each ASCII control character.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace inferbench::base
