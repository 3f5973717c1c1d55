// When each request is due. Pure: no clock, no thread; the offsets count from the
// moment traffic begins.
//
// `constant` and `ramp` are upstream's (`vllm bench serve`): interval i is Gamma(shape = b,
// scale = 1 / (r b)), so its mean is 1/r and b = 1 is a Poisson process; b infinite
// is a constant interval. Those of `constant` are then stretched so that the last request is
// due at exactly N / r. Those of `ramp` have the rate of their request each, and are not stretched.
// `at_once` with a cap on concurrency is the closed loop.
//
// Where the rate depends on time, gaps of mean 1 are drawn and mapped through the inverse of the
// rate's integral (time rescaling). With b = 1 that is exactly a Poisson process of this rate
// (E. Cinlar, Introduction to Stochastic Processes, 1975, section 4.7), else the modulated gamma
// process of M. Berman (Biometrika 68, 1981); with b infinite, request i is due when the integral
// reaches i + 1. Nothing is stretched.
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

/// Due times of `count` requests, ns from the start, not decreasing. The same pace
/// gives the same times on every machine; those of upstream's patterns are those that NumPy's
/// legacy generator yields upstream when the dataset drew nothing from it. Throws base::error
/// where rate and burstiness are so small that no times come out.
[[nodiscard]] std::vector<std::uint64_t> due_times(const pace& pace, std::uint64_t count);

struct rate_change {
  std::uint64_t rate;    // whole requests per second
  std::uint64_t due_ns;  // of the request that reached it first
  bool operator==(const rate_change&) const = default;
};

/// Upstream's log of a ramp: the rate at its beginning, at 0, then each whole rate that is
/// crossed. `due` are its due_times(). Of a ramp through more than 100,000 whole rates,
/// those from there on are left out. Other patterns have none.
[[nodiscard]] std::vector<rate_change> rate_changes(const pattern& traffic,
                                                    std::span<const std::uint64_t> due);

}  // namespace inferbench::schedule
