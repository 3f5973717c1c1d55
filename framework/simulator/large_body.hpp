// Parses a JSON body with long strings, such as images in base64, without reading these strings
// character by character and without a copy of them. RapidJSON needs 2 ms for each megabyte of a
// string, during which the server could write no event. No state.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json.hpp"

namespace inferbench::simulator {

/// A shorter body is faster to parse as a whole.
inline constexpr std::size_t smallest_large_body = std::size_t{16} << 10U;
/// The shortest string that is not copied.
inline constexpr std::size_t shortest_long_string = 512;

/// Parses `body` into `out`, with the same result as RapidJSON's iterative parser that validates
/// UTF-8. Strings of at least `shortest_long_string` bytes without escapes and non-ASCII characters
/// point into `body`, which must outlive `out`; all other strings are copies. Returns false and
/// leaves `out` unchanged if there is no such string, or if `body` is not JSON: parse it as a whole
/// then, which also tells the position of the error.
[[nodiscard]] bool parse_large_body(std::string_view body, rapidjson::Document& out);

}  // namespace inferbench::simulator
