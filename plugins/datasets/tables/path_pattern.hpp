// Patterns of paths, as the card of a data set and glob() of fsspec have them.
#pragma once

#include <string_view>

namespace tables {

/// Returns whether `path` matches `pattern`: "*" is any text without a slash, "**" any text, "**/"
/// also nothing, "?" one character, "[abc]", "[0-9]" and "[!a]" one character of a set. Bytes are
/// compared. A pattern without these characters matches only itself.
[[nodiscard]] bool matches_path(std::string_view pattern, std::string_view path);

}  // namespace tables
