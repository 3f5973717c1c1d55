// The most that the client itself can have changed each figure: the figure less the same figure of
// values that are each shortened by what the client can have added to it, and, for gaps and TPOT,
// the same of lengthened values, whichever is more. docs/client-health.md says it for users.
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
  double figure = 0;  // ms; 0 where none of its values can be off
  double ms = 0;      // it is off by no more: whole ns, rounded up
};

/// Of one summary that has values.
struct error_bound {
  metric of;
  printed shown;
  /// So many of its answers have stamps of which nobody can say how late they are. Unless it is 0,
  /// nothing is known of its figures, and the rest is 0.
  std::uint64_t unknown = 0;
  figure_bound mean, median;
  std::vector<std::pair<double, figure_bound>> percentiles;  // by percentile, 0..100
};

/// The bounds of a summary by its statistics, as found and of shortened and lengthened values.
/// `longer`: null where no value can be too short.
[[nodiscard]] error_bound bound_between(const summary& of, const statistics& found,
                                        const statistics& shorter, const statistics* longer);

/// The summaries that have bounds: all but the client's own delays.
[[nodiscard]] std::vector<summary> doubtful_summaries(const context& run, definitions from);

/// Of each of them that has values in `requests`. Goes over all requests a few
/// times, and over their gaps only where one of them can be off.
[[nodiscard]] std::vector<error_bound> exact_bounds(const context& run, definitions from,
                                                    const kept_requests& requests);

/// A figure may be off by so much, whichever is larger: beyond, it is doubtful, and beyond the
/// tenfold it is wrong.
inline constexpr double tolerated_share = 0.01;
inline constexpr double tolerated_ms = 0.5;
inline constexpr double wrong_from = 10;

/// One figure that the console prints, and that has a bound.
struct printed_bound {
  std::string name;  // "P99 TTFT", "mean ITL"
  figure_bound bound;
  double of_limit;  // its bound in what is tolerated: above 1 it is doubtful
};
[[nodiscard]] std::vector<printed_bound> printed_bounds(std::span<const error_bound> all);

/// "p99.9"
[[nodiscard]] std::string percentile_key(double percentile);

}  // namespace inferbench::metrics
