// The sign-flip test of paired differences (Fisher, "The Design of Experiments", 1935), exact. If
// base and candidate are equal, each difference is as likely with the opposite sign. The p-value is
// the share of all 2^B choices of signs whose sum is, without its sign, at least the sum that was
// measured. The test assumes no normal distribution, but its p-value is at least 2 / 2^B: among
// four metrics six blocks can prove nothing. So Student's t decides, and this is its check. Pure
// function.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace inferbench::comparison {

/// The largest number of differences: 2^19 sums take a few milliseconds.
inline constexpr std::size_t most_sign_flips = 20;

/// The p-value, two-sided. nullopt for no differences and for more than most_sign_flips.
[[nodiscard]] std::optional<double> sign_flip_p(std::span<const double> differences);

}  // namespace inferbench::comparison
