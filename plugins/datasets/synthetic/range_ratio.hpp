// The range of plain lengths around their mean: --random-range-ratio.
#pragma once

#include <string_view>

namespace synthetic {

/// Fractions of the mean; each in [0, 1).
struct range_ratio {
  double input = 0;
  double output = 0;

  /// `json` is a number for both, an object with the members input and output, or a string that
  /// contains one of these; empty: 0. Throws ifb::failure for the option range-ratio.
  [[nodiscard]] static range_ratio parse(std::string_view json);
};

}  // namespace synthetic
