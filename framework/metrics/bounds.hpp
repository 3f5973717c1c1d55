// The bound of a figure: the largest amount by which the client itself can have changed the figure.
// The figure is computed again from shortened values: each is reduced by the most that the client
// can have added. For gaps and TPOT, the figure is also computed from lengthened values. The larger
// difference is the bound. docs/client-health.md explains this for users.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "metrics/kept.hpp"
#include "metrics/statistics.hpp"
#include "metrics/summaries.hpp"

namespace inferbench::metrics {

struct figure_bound {
  double figure = 0;  // the figure in ms; 0 if all of its values are certain
  double ms = 0;      // the most that the figure can be off, in ms; rounded up to whole ns
};

/// The bounds of one summary that has values.
struct error_bound {
  metric of;
  printed shown;
  /// The number of answers with stamps of unknown lateness. If it is above 0, the bounds are not
  /// known and the members below are 0.
  std::uint64_t unknown = 0;
  figure_bound mean, median;
  std::vector<std::pair<double, figure_bound>> percentiles;  // percentile (0..100), bound
};

/// The bounds of a summary, from three statistics: `found` describes the values themselves,
/// `shorter` the shortened values, and `longer` the lengthened values. `longer` is null if no value
/// can be too short.
[[nodiscard]] error_bound bound_between(const summary& of, const statistics& found,
                                        const statistics& shorter, const statistics* longer);

/// The summaries that have bounds: all except the summaries of the client's own delays.
[[nodiscard]] std::vector<summary> doubtful_summaries(const context& run, definitions from);

/// The bounds of each doubtful summary that has values in `requests`. Reads all requests a few
/// times. Reads the gaps only if at least one gap can be off.
[[nodiscard]] std::vector<error_bound> exact_bounds(const context& run, definitions from,
                                                    const kept_requests& requests);

/// The tolerated error of a figure is `tolerated_share` of the figure or `tolerated_ms`, whichever
/// is larger. A figure with a larger bound is doubtful. It is wrong if the bound is above
/// `wrong_from` times the tolerated error.
inline constexpr double tolerated_share = 0.01;
inline constexpr double tolerated_ms = 0.5;
inline constexpr double wrong_from = 10;

/// A figure that the console prints and that has a bound.
struct printed_bound {
  std::string name;  // the name on the console: "P99 TTFT", "mean ITL"
  figure_bound bound;
  double of_limit;  // the bound divided by the tolerated error: above 1 the figure is doubtful
};
[[nodiscard]] std::vector<printed_bound> printed_bounds(std::span<const error_bound> all);

/// The key of a percentile in JSON: "p99.9".
[[nodiscard]] std::string percentile_key(double percentile);

}  // namespace inferbench::metrics
