// The lines of the report about the client itself, from the fact `client` (metrics/health.hpp on
// the host's side) and the facts beside it. A journal may hold anything: unexpected values are left
// out.
#pragma once

#include <string>

#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {

/// "Burst:    1,000 requests left in 26 ms"; empty for a run without a burst.
[[nodiscard]] std::string burst(const json_value& facts);

/// The load of the client's threads and, if it is judged, of its event loop.
[[nodiscard]] std::string client_figures(const json_value& facts);

/// The client error: the most that the client can have changed each printed latency, a line each.
[[nodiscard]] std::string error_table(const figures& found, const json_value& facts);

/// "VALID" with the client error that is largest in proportion to its tolerance; then a line for
/// each reason and for each observed cause.
[[nodiscard]] std::string verdict(const json_value& facts);

/// An upper bound in ms: never rounded down, and to whole us at the finest. "0", "0.024", "13".
[[nodiscard]] std::string bound_text(double ms);

}  // namespace reporters
