// Finds JSON in an answer. Pure functions; any thread. Their work is linear in the length of the
// text, and they do not recurse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scorers {

/// A value that is nested deeper counts as no JSON: checks of a value recurse, and the default
/// recursion limit of Python's json has the same effect.
inline constexpr std::size_t deepest = 200;

enum class json_dialect : std::uint8_t {
  strict,  // RFC 8259, in valid UTF-8
  python   // json.loads of a str: also NaN, Infinity and -Infinity
};

/// The size of a JSON text.
struct json_size {
  std::size_t values = 0;  // values of all types, in all levels
  std::size_t depth = 0;   // open containers at the deepest place
};

/// Returns the size of `text` if it is one JSON value, with optional white space around it;
/// otherwise nullopt. Names of members do not count as values.
[[nodiscard]] std::optional<json_size> measure_json(std::string_view text,
                                                    json_dialect dialect = json_dialect::strict);

/// Returns the JSON value in the text of an answer; nullopt if there is none. The value is the
/// first of these that exists:
///   1. the whole text;
///   2. the text between ``` fences; the last fence may be missing, and a word behind the first
///      fence ("json") is skipped. If several fences contain JSON, the first of them counts;
///   3. the longest object or list that stands in other text; of several with the same length, the
///      first. A bracket that begins no JSON is skipped with everything up to its counterpart. The
///      search ends at a bracket without a counterpart, because the answer is cut there: a part of
///      an incomplete value is not the answer.
[[nodiscard]] std::optional<std::string_view> find_json(std::string_view text);

}  // namespace scorers
