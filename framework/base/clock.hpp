// The one clock: monotonic nanoseconds. It enters through parameters so that
// everything from the schedule to the metrics can be tested without waiting.
#pragma once

#include <cstdint>

namespace inferbench::base {

/// The source of the stamps of what arrives from a server.
enum class stamping : std::uint8_t {
  automatic,  // the kernel where it can, else the client
  client,     // the client, when it is told that something is there
  kernel      // the kernel, when the packet comes in
};

inline constexpr std::uint64_t ns_per_us = 1'000;
inline constexpr std::uint64_t ns_per_ms = 1'000'000;
inline constexpr std::uint64_t ns_per_s = 1'000'000'000;

/// Any thread may read any clock.
class clock {
 public:
  clock() = default;
  clock(const clock&) = delete;
  clock& operator=(const clock&) = delete;
  virtual ~clock() = default;

  /// Nanoseconds since an arbitrary origin; never decreases.
  [[nodiscard]] virtual std::uint64_t now() const noexcept = 0;
};

/// CLOCK_MONOTONIC, the same origin in every process of this machine.
class monotonic_clock final : public clock {
 public:
  [[nodiscard]] std::uint64_t now() const noexcept override;
};

/// CLOCK_REALTIME in nanoseconds since 1970, for dates in results only.
[[nodiscard]] std::int64_t unix_now() noexcept;

}  // namespace inferbench::base
