// The clock of all measurements: monotonic, in nanoseconds. Code gets it as a parameter, so tests
// can pass a clock of their own and need not wait.
#pragma once

#include <cstdint>

namespace inferbench::base {

/// The clock that stamps the data that arrives from a server.
enum class stamping : std::uint8_t {
  automatic,  // the kernel if it can, otherwise the client
  client,     // the client, when the event loop reports a readable socket
  kernel      // the kernel, when the packet arrives
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

  /// Nanoseconds since 1970-01-01 UTC, for dates and signatures only: this time can jump. The
  /// default is the system's clock, also for a clock whose now() is made by a test.
  [[nodiscard]] virtual std::int64_t unix_now() const noexcept;
};

/// Reads CLOCK_MONOTONIC. The origin is the same in every process of this machine.
class monotonic_clock final : public clock {
 public:
  [[nodiscard]] std::uint64_t now() const noexcept override;
};

/// The time of CLOCK_REALTIME in nanoseconds since 1970-01-01 UTC. For code without a clock; all
/// other code uses clock::unix_now(), so that a test can determine the date.
[[nodiscard]] std::int64_t unix_now() noexcept;

}  // namespace inferbench::base
