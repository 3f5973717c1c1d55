// Reads text files with the same line endings as Python's open().
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace synthetic {

/// Replaces every line ending in `all` by "\n". If `all` is not valid UTF-8, calls `refuse` with
/// the offset of the first invalid byte; `refuse` must throw.
[[nodiscard]] std::string with_newlines(std::string_view all,
                                        const std::function<void(std::size_t)>& refuse);

/// Returns the whole file, with every line ending replaced by "\n". Throws ifb::failure for the
/// option "path": IFB_E_IO if the file cannot be read, IFB_E_DATA if it is empty or not UTF-8.
[[nodiscard]] std::string read_text(const std::string& path);

}  // namespace synthetic
