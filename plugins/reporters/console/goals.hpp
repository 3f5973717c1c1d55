// The lines of the report about goals and the steady part of the run, from the facts `thresholds`
// and `steady` (docs/results.md). A journal may contain any values: unexpected values are left out.
#pragma once

#include <string>

#include "reporters/common/json_value.hpp"

namespace reporters {

/// Returns a line for each goal: "Goal ttft.p99<200ms:   passed, 183.20 ms, certain (n 1000,
/// effective 960)". Empty if the run has no goals. `certain`: --threshold-certain was given.
[[nodiscard]] std::string goal_lines(const json_value& facts, bool certain);

/// Returns "Steady by MSER-5:    1.84 s to 29.48 s, 2809 requests, 101.61 req/s", or why no steady
/// part was found. Empty if the fact is missing.
[[nodiscard]] std::string steady_part_line(const json_value& facts);

}  // namespace reporters
