// Computes how a plan paces its requests, and the texts about it in upstream's wording: the lines
// on standard output before the first request, and the list of rate changes of a ramp. The
// functions have no state.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "config/plan.hpp"
#include "schedule/pacer.hpp"

namespace inferbench::run {

/// True if requests are sent at the times of the dataset. `flags`: ifb_dataset_flags of the
/// dataset.
[[nodiscard]] bool self_timed(const config::load& load, std::uint32_t flags) noexcept;

/// The pace of requests that are not self-timed.
[[nodiscard]] schedule::pace pace_of(const config::load& load, std::uint64_t seed);

/// The lines before the first request. Each line ends with a newline.
[[nodiscard]] std::string start_lines(const config::load& load, bool self_timed);

/// The local time as text: "2026-11-20T10:15:02.000123".
[[nodiscard]] std::string local_time(std::int64_t unix_ns);

/// The value of `rps_change_events` as JSON: the rate changes up to `ended_ns`, which is in ns
/// since the start of the traffic. `started_unix_ns`: the start of the traffic, ns since 1970.
[[nodiscard]] std::string change_events(std::span<const schedule::rate_change> changes,
                                        std::int64_t started_unix_ns, std::uint64_t ended_ns);

}  // namespace inferbench::run
