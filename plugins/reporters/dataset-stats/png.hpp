// The resolution of a PNG, which cairo does not write.
#pragma once

#include <string>

namespace reporters {

/// `png` with a chunk pHYs behind its header that says `dots_per_inch`.
[[nodiscard]] std::string with_resolution(const std::string& png, double dots_per_inch);

}  // namespace reporters
