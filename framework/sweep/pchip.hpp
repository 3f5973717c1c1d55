// A curve through points that rises and falls only where the points do: PCHIP, the piecewise cubic
// Hermite interpolation of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984) with end slopes
// of three points, as in scipy's PchipInterpolator. A value type.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace inferbench::sweep {

class monotone_cubic {
 public:
  /// At least two points; `x` ascending and without equal values, all numbers finite.
  monotone_cubic(std::vector<double> x, std::vector<double> y);

  /// The value of the curve; `at` is between the first and the last x.
  [[nodiscard]] double value(double at) const;

  /// The smallest x between the first and the last point at which the curve is zero; nullopt if
  /// there is no such x. A whole number at which the curve is zero except for rounding errors is
  /// returned exactly.
  [[nodiscard]] std::optional<double> smallest_root() const;

 private:
  [[nodiscard]] double within(std::size_t interval, double at) const;
  [[nodiscard]] double root_within(std::size_t interval) const;

  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> slopes_;
};

}  // namespace inferbench::sweep
