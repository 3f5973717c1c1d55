// The two limits that divide the gaps between events into three classes. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reporters {

/// In ms, ascending. A gap that is exactly as long as a limit belongs to the class above it.
using itl_limits = std::array<double, 2>;

/// Parses a text such as "25,50". Throws ifb::failure for any other text, and names the option
/// itl-thresholds.
[[nodiscard]] itl_limits limits_of(std::string_view text);

/// Returns the class of a gap: 0, 1 or 2.
[[nodiscard]] constexpr std::size_t gap_class(double ms, const itl_limits& limits) noexcept {
  return ms < limits[0] ? 0 : ms < limits[1] ? 1 : 2;
}

}  // namespace reporters
