// The test cases of a run: its end, its failed requests, its goals, its goodput, and the verdict on
// the client.
#pragma once

#include <vector>

#include "reporters/common/figures.hpp"
#include "suite.hpp"

namespace reporters {

/// `interrupted`: the run was stopped before its end. `certain`: a goal that was reached but is not
/// certain fails, too (--threshold-certain). The fact `thresholds` decides about failed
/// requests if one of its goals is about them.
[[nodiscard]] std::vector<junit_case> cases_of(const figures& found, const json_value& facts,
                                               bool interrupted, bool certain);

}  // namespace reporters
