// The part of the plan with the load: the traffic, its limits, conversations, and the points of a
// sweep.
#pragma once

#include "config/key_values.hpp"
#include "config/plan.hpp"

namespace inferbench::config {

/// Fills out.load and out.points. Call this after check_rules(), which refuses values that exclude
/// each other and points that no run can have. `used`: the plugins of the run; with --multi-turn
/// the backend decides whether a turn has a lower limit of its length. Throws base::error if the
/// text of a pattern cannot be read or a JSON text cannot be parsed.
void fill_load(plan& out, const key_values& values, const used_plugins& used);

}  // namespace inferbench::config
