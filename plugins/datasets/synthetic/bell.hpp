// Normally distributed numbers.
#pragma once

#include <cmath>
#include <numbers>

#include <inferbench/random.hpp>

namespace synthetic {

/// Returns the next number, with mean 0 and standard deviation 1. It is the first number of a pair
/// that the Box-Muller method yields.
[[nodiscard]] inline double bell(ifb::numpy_pcg64& random) {
  const double radius = std::sqrt(-2.0 * std::log1p(-random.real()));
  return radius * std::cos(2.0 * std::numbers::pi * random.real());
}

}  // namespace synthetic
