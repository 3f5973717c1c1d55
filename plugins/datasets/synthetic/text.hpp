// Text files as Python reads them.
#pragma once

#include <string>

namespace synthetic {

/// The whole file, with "\n" for all ends of lines. Throws ifb::failure for the option "path":
/// IFB_E_IO where it cannot be read, IFB_E_DATA where it is empty or not UTF-8.
[[nodiscard]] std::string read_text(const std::string& path);

}  // namespace synthetic
