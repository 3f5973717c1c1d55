// Looks for a steady state in a run of any kind, and computes the figures of this part. MSER-5
// (confidence/mser.hpp) on the latencies in the order of the requests' starts finds the end of the
// warm-up. The steady part ends where the drain begins: when the last request of the run started.
// After this time, no new request keeps the server busy. Upstream's steady state
// (steady_state.hpp) is another rule, which applies to closed-loop runs only.
//
// Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "metrics/context.hpp"
#include "metrics/request_times.hpp"
#include "metrics/table.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

/// A part of the run, in ns of the host clock; both ends belong to it. Requests are inside if they
/// started inside.
struct steady_part {
  bool found = false;
  std::string reason;  // why nothing was found
  std::uint64_t begin = 0, end = 0;
  std::uint64_t requests = 0;  // the successful requests inside
};

/// The smallest number of successful requests among which a steady part is looked for: 20 means of
/// 5.
inline constexpr std::size_t least_for_steady = 100;

/// `rows`: the sent requests in the order of their starts.
[[nodiscard]] steady_part find_steady_part(std::span<const request_times* const> rows);

/// Writes the value of the fact `steady`: an object, with mean, median and P99 of upstream's
/// latencies. `rows` as above; `exact` is false for a
/// bounded accumulator, which has no rows.
void write_steady(ifb::json_writer& out, const context& run, definitions figures,
                  std::span<const request_times* const> rows, bool exact);

}  // namespace inferbench::metrics
