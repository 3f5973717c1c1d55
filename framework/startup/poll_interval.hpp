// The time between two looks at a starting server. A moment is known as exactly as the time between
// two looks, and each look costs the server something. So the interval is a share of the time that
// the start has taken so far: short starts are seen to a millisecond, and long starts are not
// disturbed. Pure functions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.hpp"

namespace inferbench::startup {

inline constexpr std::uint64_t shortest_look_ns = base::ns_per_ms;

/// Until a server listens: a thousandth of the time, from 1 to 20 ms. The kernel refuses the
/// connection, so the server does not notice the look.
[[nodiscard]] constexpr std::uint64_t listening_interval(std::uint64_t elapsed_ns) {
  return std::clamp(elapsed_ns / 1000, shortest_look_ns, 20 * base::ns_per_ms);
}

/// Until a server is ready: a two-hundredth of the time, from 1 to 250 ms. The server answers each
/// look with a status.
[[nodiscard]] constexpr std::uint64_t ready_interval(std::uint64_t elapsed_ns) {
  return std::clamp(elapsed_ns / 200, shortest_look_ns, 250 * base::ns_per_ms);
}

}  // namespace inferbench::startup
