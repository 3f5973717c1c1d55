// Scalars of YAML and values in brackets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "yaml.hpp"

namespace tables {

/// Removes a comment: a "#" at the beginning or after a space, outside quotation marks.
[[nodiscard]] std::string_view without_comment(std::string_view line);

/// Returns the position of the colon after the key with which the line begins, outside quotation
/// marks and followed by a space or the end; npos if the line has no key.
[[nodiscard]] std::size_t colon_of_key(std::string_view line);

/// Returns the text of a scalar, without its quotation marks. `line` is the line number for errors.
/// Throws like read_yaml().
[[nodiscard]] std::string scalar_text(std::string_view text, std::size_t line);

/// Reads a scalar, [a, b] or {a: b}. Throws like read_yaml().
[[nodiscard]] yaml_value flow_value(std::string_view text, std::size_t line);

}  // namespace tables
