// The lines of the report about the client itself. They are made from the fact `client`
// (framework/metrics/health.hpp) and the facts beside it. A journal may contain any values:
// unexpected values are left out.
#pragma once

#include <string>

#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {

/// Returns "Burst:    1,000 requests left in 26 ms"; empty for a run without a burst.
[[nodiscard]] std::string burst(const json_value& facts);

/// Returns the lines with the load of the client's threads and, if the event loop is judged, its
/// lag.
[[nodiscard]] std::string client_figures(const json_value& facts);

/// Returns the client error: for each printed latency one line with the maximum by which the client
/// can have changed it.
[[nodiscard]] std::string error_table(const figures& found, const json_value& facts);

/// Returns "VALID" with the client error that is largest in proportion to its tolerance, or another
/// verdict. One line for each reason and for each observed cause follows.
[[nodiscard]] std::string verdict(const json_value& facts);

/// Returns an upper bound in ms: "0", "0.024", "13". It is never rounded down; the last digit is at
/// least one microsecond.
[[nodiscard]] std::string bound_text(double ms);

}  // namespace reporters
