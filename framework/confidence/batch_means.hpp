// The mean of dependent values with its one-sided bounds, by the method of batch means: the values
// are cut, in the order of time, into k batches of equal size, whose means depend on each other
// less than the values do. The half width is t(k-1, c) S_B / sqrt(k), with S_B the standard
// deviation of the batches' means. Pure functions.
#pragma once

#include <optional>
#include <span>

namespace inferbench::confidence {

struct mean_estimate {
  double mean = 0;             // of all values
  double half_width = 0;       // the true mean is below mean + half_width at the confidence `level`
  double effective_count = 0;  // the independent values that would give the same half width
};

/// The smallest number of values from which the mean is estimated.
inline constexpr std::size_t least_for_mean = 64;

/// Uses 32 batches; if the means of neighbouring batches are correlated (their lag-1
/// autocorrelation is above 1.645 / sqrt(k)), 16 batches of twice the size. The half width is at
/// least the half width for independent values. nullopt if there are fewer than least_for_mean
/// values, or if the means of 16 batches are correlated.
[[nodiscard]] std::optional<mean_estimate> estimate_mean(std::span<const double> values);

}  // namespace inferbench::confidence
