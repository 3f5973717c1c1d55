// Sets the resolution of a PNG, which cairo does not write.
#pragma once

#include <string>

namespace reporters {

/// Returns `png` with a chunk pHYs after its header. The chunk contains the resolution.
[[nodiscard]] std::string with_resolution(const std::string& png, double dots_per_inch);

}  // namespace reporters
