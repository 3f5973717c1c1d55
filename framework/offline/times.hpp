// Statistics of repeated measurements by upstream's definitions (metrics/statistics.hpp): the mean,
// the standard deviation of the population, and percentiles interpolated between closest ranks.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "options/node.hpp"

namespace inferbench::offline {

/// The percentiles of latency and startup.
inline constexpr std::array<double, 6> usual_percentiles{10, 25, 50, 75, 90, 99};

/// In the unit of the values. All are 0 for an empty set.
struct time_statistics {
  double mean = 0, median = 0, deviation = 0;
  std::vector<std::pair<double, double>> percentiles;  // percentile and value
};

[[nodiscard]] time_statistics statistics_of(
    std::span<const double> values, std::span<const double> percentiles = usual_percentiles);

// Values of JSON results.
[[nodiscard]] options::node list_of(std::span<const double> values);
/// {"10": 0.5, "25": ...}
[[nodiscard]] options::node percentile_table(const time_statistics& of);

/// A number without ".0": "99", "99.9".
[[nodiscard]] std::string percentile_label(double percentile);

}  // namespace inferbench::offline
