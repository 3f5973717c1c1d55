// Computes the times at which requests are due. Does not use a clock or threads. Times are counted
// from the beginning of the traffic.
//
// `constant` and `ramp` are upstream's (`vllm bench serve`): interval i is Gamma(shape = b,
// scale = 1 / (r b)), so its mean is 1/r and b = 1 is a Poisson process; b infinite
// is a constant interval. The intervals of `constant` are then stretched so that the last
// request is due at exactly N / r. Each interval of `ramp` has the rate r of its request; these
// intervals are not stretched. `at_once` with a cap on concurrency is a closed loop.
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

/// Upstream's log of a ramp: the first rate, at time 0, then each whole rate that the ramp reaches.
/// `due`: the due_times() of the ramp. At most 100,000 changes; later changes are left out. Other
/// patterns have no changes.
[[nodiscard]] std::vector<rate_change> rate_changes(const pattern& traffic,
                                                    std::span<const std::uint64_t> due);

}  // namespace inferbench::schedule
