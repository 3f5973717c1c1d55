// Where a series of values becomes steady: MSER-5 (White, "An effective truncation heuristic for
// bias reduction in simulation output", 1997). On means Y_1..Y_m of 5 values, the beginning is cut
// at d* = argmin over d <= m/2 of (m-d)^-2 times the sum over i > d of (Y_i - mean of Y after d)^2.
// A d* at the edge, m/2, means that the series is not steady. Pure functions.
#pragma once

#include <cstddef>
#include <span>

namespace inferbench::confidence {

struct truncation {
  std::size_t cut = 0;   // the number of values at the beginning that do not belong to the steady
                         // part
  bool at_edge = false;  // no steady part was found
};

/// The number of values in one mean.
inline constexpr std::size_t mser_batch = 5;

/// `values` in the order of time. At the edge if there are fewer than two means.
[[nodiscard]] truncation find_truncation(std::span<const double> values);

}  // namespace inferbench::confidence
