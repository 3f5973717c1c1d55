// As much reading of JSON as a protocol needs: values found by their path. No tree, no
// recursion, nothing allocated but texts. Only what leads to a value is looked at, so a
// document that is broken elsewhere is not noticed. Replace it by the parser you like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace json {

/// The JSON text of the value at `path`, as in "choices.0.text". A view of `document`.
[[nodiscard]] std::optional<std::string_view> find(std::string_view document,
                                                   std::string_view path);

/// The text of a JSON string, what is no UTF-8 in it replaced by U+FFFD; nothing when `value`
/// is none, or malformed.
[[nodiscard]] std::optional<std::string> text(std::string_view value);

/// A whole number, or -1.
[[nodiscard]] std::int64_t integer(std::optional<std::string_view> value);

}  // namespace json
