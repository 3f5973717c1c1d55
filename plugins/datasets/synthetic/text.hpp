// Text files as Python reads them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace synthetic {

/// `all` with "\n" for all ends of lines. Calls `refuse`, which throws, with the offset of the
/// first byte that is not UTF-8.
[[nodiscard]] std::string with_newlines(std::string_view all,
                                        const std::function<void(std::size_t)>& refuse);

/// The whole file, with "\n" for all ends of lines. Throws ifb::failure for the option "path":
/// IFB_E_IO where it cannot be read, IFB_E_DATA where it is empty or not UTF-8.
[[nodiscard]] std::string read_text(const std::string& path);

}  // namespace synthetic
