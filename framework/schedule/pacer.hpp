// When each request is due. Pure: no clock, no thread; the offsets count from the
// moment traffic begins.
//
// Open loop after upstream (`vllm bench serve`): interval i is Gamma(shape = b,
// scale = 1 / (r b)), so its mean is 1/r and b = 1 is a Poisson process; b infinite
// is a constant interval. The offsets are then stretched so that the last request is
// due at exactly N / r. An infinite rate makes everything due at once: with a cap on
// concurrency that is the closed loop.
//
// A ramp gives request i of N a rate of its own, by p = i / max(N - 1, 1); its offsets
// are not stretched.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace inferbench::schedule {

struct ramp {
  bool exponential = false;  // start (end / start)^p, else start + (end - start) p
  double start = 0;          // per second, > 0
  double end = 0;            // >= start
};

struct pace {
  double request_rate = 0;  // per second, > 0 or infinity
  double burstiness = 1;    // shape of the gamma distribution, > 0 or infinity
  std::uint64_t seed = 0;
  std::optional<ramp> growth{};  // takes the place of request_rate
};

/// The rate of request `i` of `count`.
[[nodiscard]] double rate_at(const ramp& growth, std::uint64_t i, std::uint64_t count) noexcept;

/// Due times of `count` requests, ns from the start, not decreasing. The same pace
/// gives the same times on every machine; they are those that NumPy's legacy
/// generator yields upstream when the dataset drew nothing from it. Throws base::error
/// where rate and burstiness are so small that no times come out.
[[nodiscard]] std::vector<std::uint64_t> due_times(const pace& pace, std::uint64_t count);

struct rate_change {
  std::uint64_t rate;    // whole requests per second
  std::uint64_t due_ns;  // of the request that reached it first
  bool operator==(const rate_change&) const = default;
};

/// Upstream's log of a ramp: what it begins with, at 0, then each whole rate that is
/// crossed. `due` are its due_times(). Of a ramp through more than 100,000 whole rates,
/// those from there on are left out.
[[nodiscard]] std::vector<rate_change> rate_changes(const ramp& growth,
                                                    std::span<const std::uint64_t> due);

}  // namespace inferbench::schedule
