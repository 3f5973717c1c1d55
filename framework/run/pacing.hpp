// How a plan paces its requests, and how that is told: the lines on standard output before
// the first request and the log of a ramp, in upstream's words. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "config/plan.hpp"
#include "schedule/pacer.hpp"

namespace inferbench::run {

/// Whether requests are sent at the times of a dataset with these ifb_dataset_flags.
[[nodiscard]] bool self_timed(const config::load& load, std::uint32_t flags) noexcept;

/// Of requests that are not self-timed.
[[nodiscard]] schedule::pace pace_of(const config::load& load, std::uint64_t seed);

/// With line ends.
[[nodiscard]] std::string start_lines(const config::load& load, bool self_timed);

/// "2026-11-20T10:15:02.000123", local time.
[[nodiscard]] std::string local_time(std::int64_t unix_ns);

/// `rps_change_events` as JSON: the changes up to `ended_ns` from the start, which was at
/// `started_unix_ns`.
[[nodiscard]] std::string change_events(std::span<const schedule::rate_change> changes,
                                        std::int64_t started_unix_ns, std::uint64_t ended_ns);

}  // namespace inferbench::run
