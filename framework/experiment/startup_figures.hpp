// The figures in the result of a start-up benchmark (docs/startup.md), `inferbench startup` or
// `vllm bench startup`. Each is a summary of the times of some starts in seconds. They are not in
// metrics/table.hpp, because no run with requests has them. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/json_reader.hpp>

#include "metrics/report.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::experiment {

/// The times of one state, cold or warm. Plain data.
struct startup_figure {
  std::string name, title, label, help;  // as in ifb_metric
  bool upstream = false;                 // a figure of `vllm bench startup`, otherwise a phase
  std::vector<double> percentiles;       // those that the result states, 0..100
  metrics::statistics values;            // NaN: not known
};

/// The figures in this order: start-up and compilation, cold before warm, such as
/// cold_startup_time; then the phases of `inferbench startup`, such as cold_phase_ready, in the
/// order of the file. The mean is the stated mean. The other statistics are computed from the times
/// by upstream's definitions, with the percentiles that the result states. If a program states no
/// times but a mean, its percentiles are the stated ones, deviation, minimum and maximum are not
/// known, and the count is 1, because the result does not have it. Times that are no finite numbers
/// are left out, and a phase that has the name of another one. Empty for the result of another
/// benchmark.
[[nodiscard]] std::vector<startup_figure> startup_figures_in(const ifb::json_value& result);

/// Adds the figure with the unit "s". The report points to the texts of `figure`.
void add_startup_figure(metrics::report& to, const startup_figure& figure);

/// When a start began and ended, in nanoseconds since 1970. 0: not known.
struct startup_moments {
  std::int64_t began_unix_ns = 0;
  std::int64_t ended_unix_ns = 0;  // at least began_unix_ns
};

/// The moments of the last cold start, the only start for which the result of `inferbench startup`
/// has them, and only if the start has phases.
[[nodiscard]] startup_moments last_cold_start_in(const ifb::json_value& result);

}  // namespace inferbench::experiment
