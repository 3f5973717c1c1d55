// When each request is due. Pure: no clock, no thread; the offsets count from the
// moment traffic begins.
//
// Open loop after upstream (`vllm bench serve`): interval i is Gamma(shape = b,
// scale = 1 / (r b)), so its mean is 1/r and b = 1 is a Poisson process; b infinite
// is a constant interval. The offsets are then stretched so that the last request is
// due at exactly N / r. An infinite rate makes everything due at once: with a cap on
// concurrency that is the closed loop.
#pragma once

#include <cstdint>
#include <vector>

namespace inferbench::schedule {

struct pace {
  double request_rate = 0;  // per second, > 0 or infinity
  double burstiness = 1;    // shape of the gamma distribution, > 0 or infinity
  std::uint64_t seed = 0;
};

/// Due times of `count` requests, ns from the start, not decreasing. The same pace
/// gives the same times on every machine; they are those that NumPy's legacy
/// generator yields upstream when the dataset drew nothing from it. Throws base::error
/// where rate and burstiness are so small that no times come out.
[[nodiscard]] std::vector<std::uint64_t> due_times(const pace& pace, std::uint64_t count);

}  // namespace inferbench::schedule
