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

/// `bars` of them from the least value to the greatest, which belongs to the last bar.
/// Where all are equal: from half below to half above. `values` are not none.
[[nodiscard]] histogram histogram_of(const std::vector<std::int64_t>& values, std::size_t bars);

/// Round numbers from `low` to `high` (> low), some five of them and no fractions.
[[nodiscard]] std::vector<double> marks(double low, double high);

}  // namespace reporters
