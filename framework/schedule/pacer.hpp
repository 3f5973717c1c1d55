// Computes the times at which requests are due. Does not use a clock or threads. Times are counted
// from the beginning of the traffic.
//
// `constant` and `ramp` are upstream's patterns (`vllm bench serve`). For rate r and burstiness b,
// interval i is Gamma(shape = b, scale = 1 / (r b)), so its mean is 1/r. b = 1 gives a Poisson
// process, and infinite b a constant interval. For `constant`, the intervals are stretched so that
// the last of N requests is due at exactly N / r. For `ramp`, each interval has the rate r of its
// request, and intervals are not stretched. `at_once` with a limit of concurrency is a closed loop.
//
// For patterns whose rate depends on time, gaps of mean 1 are drawn and mapped through the inverse
// of the rate's integral (time rescaling). With b = 1 the result is exactly a Poisson process of
// this rate (E. Cinlar, Introduction to Stochastic Processes, 1975, section 4.7). With other b, it
// is the modulated gamma process of M. Berman (Biometrika 68, 1981). With b infinite, request i is
// due when the integral reaches i + 1. These gaps are not stretched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/pattern.hpp"

namespace inferbench::schedule {

/// The longest schedule in seconds, about 285 years. A signed 64-bit number of nanoseconds ends at
/// 292 years.
inline constexpr double longest_s = 9e9;

struct pace {
  pattern traffic;
  double burstiness = 1;  // shape of the gamma distribution, > 0 or infinity
  std::uint64_t seed = 0;
};

/// Due times of `count` requests, in ns from the beginning of the traffic, in ascending order. The
/// same pace gives the same times on every machine. For upstream's patterns, the times are equal to
/// upstream's if upstream's dataset draws no numbers from the same random generator. Throws
/// base::error if rate and burstiness are so small that the times cannot be computed.
[[nodiscard]] std::vector<std::uint64_t> due_times(const pace& pace, std::uint64_t count);

struct rate_change {
  std::uint64_t rate;    // whole requests per second
  std::uint64_t due_ns;  // the due time of the first request at this rate or above
  bool operator==(const rate_change&) const = default;
};

/// The changes in upstream's log of a ramp: the first rate at time 0, followed by each whole rate
/// that the ramp reaches. `due`: the due_times() of the ramp. At most 100,000 changes; later
/// changes are left out. Other patterns have no changes.
[[nodiscard]] std::vector<rate_change> rate_changes(const pattern& traffic,
                                                    std::span<const std::uint64_t> due);

}  // namespace inferbench::schedule
