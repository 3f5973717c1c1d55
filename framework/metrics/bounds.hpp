// The most that the client itself can have changed each figure. The figure is computed again from
// values that are each shortened by the most that the client can have added, and, for gaps and
// TPOT, from values that are lengthened; the larger difference is the bound. docs/client-health.md
// is the same for users.
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
  double figure = 0;  // ms; 0 if none of its values can be off
  double ms = 0;      // the most that it can be off: whole ns, rounded up
};

/// The bounds of one summary that has values.
struct error_bound {
  metric of;
  printed shown;
  /// Answers with stamps of unknown lateness. Unless there are none, the bounds are not known and
  /// the members below are 0.
  std::uint64_t unknown = 0;
  figure_bound mean, median;
  std::vector<std::pair<double, figure_bound>> percentiles;  // by percentile, 0..100
};

/// The bounds of a summary, from its statistics: `found` is of the values themselves, `shorter` and
/// `longer` are of the shortened and lengthened values. `longer`: null if no value can be too
/// short.
[[nodiscard]] error_bound bound_between(const summary& of, const statistics& found,
                                        const statistics& shorter, const statistics* longer);

/// The summaries that have bounds: all but the client's own delays.
[[nodiscard]] std::vector<summary> doubtful_summaries(const context& run, definitions from);

/// The bounds of each of these summaries that has values in `requests`. Reads all requests a few
/// times, and the gaps only where one of them can be off.
[[nodiscard]] std::vector<error_bound> exact_bounds(const context& run, definitions from,
                                                    const kept_requests& requests);

/// The tolerated error of a figure is the larger of these. Beyond it the figure is doubtful, beyond
/// `wrong_from` times as much it is wrong.
inline constexpr double tolerated_share = 0.01;
inline constexpr double tolerated_ms = 0.5;
inline constexpr double wrong_from = 10;

/// A figure that the console prints and that has a bound.
struct printed_bound {
  std::string name;  // "P99 TTFT", "mean ITL"
  figure_bound bound;
  double of_limit;  // the bound over the tolerated error: above 1 the figure is doubtful
};
[[nodiscard]] std::vector<printed_bound> printed_bounds(std::span<const error_bound> all);

/// "p99.9"
[[nodiscard]] std::string percentile_key(double percentile);

}  // namespace inferbench::metrics
