// Counts values in bars of equal width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reporters {

struct histogram {
  double low = 0;
  double width = 1;  // width of each bar
  std::vector<std::size_t> counts;

  [[nodiscard]] double high() const noexcept {
    return low + width * static_cast<double>(counts.size());
  }
};

/// Divides the interval from the smallest to the largest value into `bars` bars. The largest value
/// belongs to the last bar. If all values are equal, the interval begins 0.5 below the value and
/// ends 0.5 above it. `values` must not be empty.
[[nodiscard]] histogram histogram_of(const std::vector<std::int64_t>& values, std::size_t bars);

/// Returns about five round numbers from `low` to `high` (> low), without fractions.
[[nodiscard]] std::vector<double> marks(double low, double high);

}  // namespace reporters
