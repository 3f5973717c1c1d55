// The phases of the measured starts: a table, and the members that this program adds to upstream's
// JSON. Pure functions.
//
// The interval of a mean is that of confidence/repetitions.hpp (Student's t, 95 %) over the starts
// of one state. Starts of one state are taken to be independent.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "options/node.hpp"
#include "startup/server_startup.hpp"
#include "startup/start_sample.hpp"

namespace inferbench::startup {

/// The durations of one phase in the starts of one state.
struct phase_series {
  std::string state;            // "cold" or "warm"
  std::string name;             // that of the phase, or "total": from the begin to the last end
  std::vector<double> times_s;  // of the starts in which the phase is not missing
  double uncertainty_s = 0;     // the largest
};

/// The phases in their order, cold before warm, each state with its total at the end if it has more
/// than one phase. Series without a time are there, too: the phase was missing in every start.
[[nodiscard]] std::vector<phase_series> series_of_phases(const startup_outcome& of);

/// A table for the end of the report; empty if no phases were measured.
[[nodiscard]] std::string phase_text(const startup_outcome& of);

/// The value of "inferbench" in the JSON of the result: the members of `about`, then
/// "cold_variables", "phases" and "last_cold_start" (phase_list()).
[[nodiscard]] options::node phase_json(const startup_outcome& of,
                                       options::node about = options::node::table());

/// The phases of one start: "phase_list_version" 1, "phases" with name, duration_s, start_ns,
/// end_ns and missing, "total_phase_time_s" (their sum) and "wall_clock_startup_s", from the begin
/// of the first to the end of the last phase that is not missing.
[[nodiscard]] options::node phase_list(const start_sample& of);

}  // namespace inferbench::startup
