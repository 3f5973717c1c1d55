// The part of the plan with the figures: metrics and percentiles, rules and limits by which they
// are judged, and what is measured beside the requests.
#pragma once

#include "config/key_values.hpp"
#include "config/plan.hpp"

namespace inferbench::config {

/// Fills out.figures, out.observe and, if out.points is not empty, out.summary_percentiles. Call
/// this after fill_load(), which fills out.points. Throws base::error if a goal cannot be read.
void fill_figures(plan& out, const key_values& values);

}  // namespace inferbench::config
