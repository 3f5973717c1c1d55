// Functions on text that several stages use.
#pragma once

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

[[nodiscard]] bool equal_letters(std::string_view a, std::string_view b) noexcept;
/// Whether two texts are equal but for the case of ASCII letters. For names of HTTP headers,
/// most of which differ in their length already.
[[nodiscard]] inline bool equal_no_case(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && equal_letters(a, b);
}

/// The candidate that `name` most probably meant: fewest edits (a swap of
/// neighbours is one), at most a third of its length; empty when none is near.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);

/// "did you mean --request-rate?" or "".
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string> candidates);

/// The number that the whole text is, or nothing. parse_float takes inf, nan and 1e3.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text) noexcept;
[[nodiscard]] std::optional<double> parse_float(std::string_view text) noexcept;

/// The shortest text that reads back as `value`, laid out as Python's repr does:
/// 10.0, 0.5, 1e+16, inf, nan.
[[nodiscard]] std::string shortest(double value);

/// The bytes of a file. Throws error, which names the path.
[[nodiscard]] std::string read_file(const std::string& path);

/// Lower-case hex of SHA-256.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

/// The text with bad UTF-8 replaced by U+FFFD, one for each maximal bad part.
[[nodiscard]] std::string valid_utf8(std::string_view text);

}  // namespace inferbench::base
