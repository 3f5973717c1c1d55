// The mean of a figure over repeated runs, with the interval that contains the true mean. Runs are
// taken to be independent and their figures to be normally distributed, so the half width is
// t(n-1, (1+c)/2) s / sqrt(n), with s the sample standard deviation and t the quantile of Student's
// distribution (Student, "The Probable Error of a Mean", Biometrika 1908). Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace inferbench::confidence {

/// The usual confidence for repetitions of an experiment.
inline constexpr double repetition_level = 0.95;

struct repeated_mean {
  double mean = 0;
  std::size_t count = 0;
  /// nullopt for fewer than two values, and if a value is not finite.
  std::optional<double> half_width;
};

/// `values`: the figure of each run, at least one. `confidence`: between 0 and 1.
[[nodiscard]] repeated_mean mean_of_repetitions(std::span<const double> values,
                                                double confidence = repetition_level);

}  // namespace inferbench::confidence
