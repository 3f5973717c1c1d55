// What the report says about the client itself, from the fact `client` (metrics/health.hpp on the
// host's side) and those that stand beside it. A journal may hold anything; what is not as expected
// is left out.
#pragma once

#include <string>

#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {

/// "Burst:    1,000 requests left in 26 ms"; empty of a run without.
[[nodiscard]] std::string burst(const json_value& facts);

/// How busy its threads were and, where it is judged, its event loop.
[[nodiscard]] std::string client_figures(const json_value& facts);

/// The most that it can have changed each latency that is printed, a line for each.
[[nodiscard]] std::string error_table(const figures& found, const json_value& facts);

/// "VALID" with the largest of those, measured by what is tolerated; then a line for each reason
/// and for each cause that was observed.
[[nodiscard]] std::string verdict(const json_value& facts);

/// An upper bound in ms: never rounded down, and to whole us at the finest. "0", "0.024", "13".
[[nodiscard]] std::string bound_text(double ms);

}  // namespace reporters
