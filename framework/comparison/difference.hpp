// The difference of the logarithms of two groups of values, with its standard error, and the tests
// and intervals that follow from both by Student's t. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "comparison/design.hpp"

namespace inferbench::comparison {

/// A measured difference.
struct log_difference {
  double mean = 0;  // the logarithm of the ratio candidate / base
  design plan;      // with the measured deviations
  /// If the values of both groups agree to about twelve digits, they do not say how much they vary,
  /// and Student's t has no meaning. The chance that a permutation test gives, one-sided, is used
  /// instead: 2^-B for B blocks, n! m! / (n + m)! for two groups. nullopt in all other cases.
  std::optional<double> constant_chance;

  /// The standard deviation of blocks, or the root of the mean variance of the runs in a group.
  [[nodiscard]] double deviation() const noexcept;
  /// The p-value that the true mean is 0, two-sided.
  [[nodiscard]] double p() const noexcept;
  /// The p-value of TOST that the true mean is not between -margin and margin. margin > 0.
  [[nodiscard]] double p_same(double margin) const noexcept;
  /// Half the width of the interval of the confidence 1 - error_rate. 0 for constant values.
  [[nodiscard]] double half_width(double error_rate) const noexcept;
};

/// The one-sided chance of a permutation test of constant values: see constant_chance.
[[nodiscard]] double chance_of_order(const design& of) noexcept;

/// From the differences of blocks. nullopt for fewer than two blocks.
[[nodiscard]] std::optional<log_difference> difference_of_blocks(std::span<const double> blocks);

/// From the logarithms of two groups, by Welch's t. nullopt if a group has fewer than two values.
[[nodiscard]] std::optional<log_difference> difference_of_groups(std::span<const double> base,
                                                                 std::span<const double> other);

}  // namespace inferbench::comparison
