// Normally distributed numbers.
#pragma once

#include <cmath>
#include <numbers>

#include <inferbench/random.hpp>

namespace synthetic {

/// The next number, of mean 0 and standard deviation 1: one value of Box and Muller's pair.
[[nodiscard]] inline double bell(ifb::numpy_pcg64& random) {
  const double radius = std::sqrt(-2.0 * std::log1p(-random.real()));
  return radius * std::cos(2.0 * std::numbers::pi * random.real());
}

}  // namespace synthetic
