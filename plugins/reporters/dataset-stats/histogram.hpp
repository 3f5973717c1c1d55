// Counting values into bars of one width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reporters {

struct histogram {
  double low = 0;
  double width = 1;  // of a bar
  std::vector<std::size_t> counts;

  [[nodiscard]] double high() const noexcept {
    return low + width * static_cast<double>(counts.size());
  }
};

/// `bars` bars from the least value to the greatest, which belongs to the last bar. If all values
/// are equal: from half below to half above. `values` is not empty.
[[nodiscard]] histogram histogram_of(const std::vector<std::int64_t>& values, std::size_t bars);

/// About five round numbers from `low` to `high` (> low), without fractions.
[[nodiscard]] std::vector<double> marks(double low, double high);

}  // namespace reporters
