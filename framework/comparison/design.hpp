// The power of a comparison: which true difference it finds with which chance, and the number of
// blocks or runs that it needs. By the noncentral t distribution; the chance that the wrong
// direction is found is left out, which is far below 0.1 % where the power matters. Pure functions.
#pragma once

#include <cstddef>
#include <optional>

#include "comparison/input.hpp"

namespace inferbench::comparison {

inline constexpr std::size_t enough_for_welch = 8;

/// The layout of a comparison and the deviations of its values.
struct design {
  bool paired = true;
  double deviation = 0;         // paired: of blocks; otherwise of the runs of the base
  double other_deviation = 0;   // not paired: of the runs of the candidate
  std::size_t count = 0;        // paired: the blocks; otherwise the runs of the base
  std::size_t other_count = 0;  // not paired: the runs of the candidate

  [[nodiscard]] double standard_error() const noexcept;
  /// The degrees of freedom: count - 1; for groups of equal size, and for groups of at least
  /// enough_for_welch runs, those of Welch and Satterthwaite; for other groups those of the smaller
  /// group alone. Welch's degrees give 10 to 12 % wrong differences instead of 5 % for 2 runs
  /// against 10, and the degrees of the smaller group never give too many (Mickey and Brown,
  /// "Bounds on the distribution functions of the Behrens-Fisher statistic", 1966).
  [[nodiscard]] double degrees() const noexcept;
  /// The same with this number of blocks, or of runs in each group.
  [[nodiscard]] design with(std::size_t number) const noexcept;
};

/// The chance that a true difference of logarithms is significant, two-sided, at the level `alpha`.
[[nodiscard]] double chance_to_find(const design& of, double difference, double alpha);

/// The chance that TOST at the level `alpha` finds a true difference inside +-margin.
[[nodiscard]] double chance_of_same(const design& of, double difference, double margin,
                                    double alpha);

/// The levels at which a comparison decides.
struct decision {
  double alpha = 0.05;       // of "faster" and "slower", two-sided, after the correction
  double margin = 0.02;      // of "same", as a difference of logarithms
  double same_alpha = 0.01;  // of "same"
};

/// The levels of a comparison for the first of this many tests in Holm's correction.
[[nodiscard]] decision first_decision(const comparison_settings& settings,
                                      std::size_t tests) noexcept;

/// The true difference as a share (exp(d) - 1, 0.02 is 2 %) that is found with the chance
/// `power`: it is significant, and it is not shown to be the same.
[[nodiscard]] double found_with(const design& of, const decision& at, double power);

/// The smallest number of blocks (or runs of each group) with which the difference is significant,
/// or shown to be the same, with the chance `power`. At least 2. nullopt if more than `most` are
/// needed.
[[nodiscard]] std::optional<std::size_t> needed_to_tell(const design& of, double difference,
                                                        const decision& at, double power,
                                                        std::size_t most);

}  // namespace inferbench::comparison
