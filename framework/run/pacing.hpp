// How a plan paces its requests, and the texts about it, in upstream's wording: the lines on
// standard output before the first request, and the list of rate changes of a ramp. Pure.
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

/// "2026-11-20T10:15:02.000123", local time.
[[nodiscard]] std::string local_time(std::int64_t unix_ns);

/// The value of `rps_change_events` as JSON: the rate changes until `ended_ns`, ns since the start
/// of the traffic. `started_unix_ns`: the start of the traffic.
[[nodiscard]] std::string change_events(std::span<const schedule::rate_change> changes,
                                        std::int64_t started_unix_ns, std::uint64_t ended_ns);

}  // namespace inferbench::run
