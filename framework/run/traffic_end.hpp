// The end of the traffic of a run: the number of requests that were planned, and a warning if the
// dataset was used up early. Call the functions when the last request has ended and the feed is not
// stopped yet.
#pragma once

#include <cstdint>

#include "run/load_generator.hpp"
#include "run/prepared.hpp"

namespace inferbench::run {

/// The requests that the schedule had until the traffic ended: all of them if the run has a number,
/// and those that were due or sent if it ends at a time. `started_ns`: the start of the run.
[[nodiscard]] std::uint64_t planned_until_now(const prepared& with, load_generator& load,
                                              std::uint64_t started_ns);

/// Warns if the dataset was used up before the time of the run was over, unless the user gave the
/// number of requests. `sent`: the number of requests that were sent.
void tell_of_early_end(const prepared& with, std::uint64_t sent, std::uint64_t started_ns);

}  // namespace inferbench::run
