// The statistics of a series of numbers as pandas has them: Series.describe(). Pure functions.
#pragma once

#include <span>
#include <vector>

namespace reporters {

struct description {
  double count = 0;
  double mean = 0;
  double deviation = 0;  // of the sample
  double minimum = 0;
  std::vector<double> percentiles;  // those that were asked for, interpolated linearly between two
                                    // neighbours
  double maximum = 0;
};

/// `shares`: the percentiles, from 0 to 1. Values that are not a number are left out. Without
/// values everything but the count is not a number; with one value, the deviation.
[[nodiscard]] description describe(std::vector<double> values, std::span<const double> shares);

}  // namespace reporters
