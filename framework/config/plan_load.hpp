// The part of the plan with the load: the traffic, its limits, conversations, and the points of a
// sweep.
#pragma once

#include "config/key_values.hpp"
#include "config/plan.hpp"

namespace inferbench::config {

/// Fills out.load and out.points. Call this after check_rules(), which refuses values that exclude
/// each other and sweep values with which no run is possible. `used`: the plugins of the run. With
/// --multi-turn the request of each turn gets a lower limit of the answer's length (min_tokens) if
/// the backend generates text and accepts sampling fields, and if the user has given neither
/// min_tokens nor --ignore-eos. Throws base::error if the text of a pattern cannot be read or a
/// JSON text cannot be parsed.
void fill_load(plan& out, const key_values& values, const used_plugins& used);

}  // namespace inferbench::config
