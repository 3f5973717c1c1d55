// The resolution in a PNG file, which cairo does not write.
#pragma once

#include <string>

namespace figures {

/// Returns the PNG file with a chunk pHYs behind its header (PNG 1.2, section 4.2.4.2).
[[nodiscard]] std::string with_dots_per_inch(std::string png, int dots_per_inch);

}  // namespace figures
