// Ties the worker's clock to the host's clock by exchanges of ping and pong.
#pragma once

#include <cstdint>

namespace python_engine {

/// With a ping sent at a, a pong with the worker's clock w, and its arrival at b, the worker's
/// clock is ahead by w - (a + b) / 2, with an error of at most (b - a) / 2 (Cristian's algorithm).
/// The exchange with the shortest b - a counts. On one machine both processes read the same clock,
/// so the offset is 0 whenever 0 lies within the bound; only otherwise an offset is applied, for
/// example for a worker in another time namespace. Used by one thread at a time.
class clock_tie {
 public:
  /// Number of exchanges after the engine is ready.
  static constexpr int exchanges = 9;

  /// `sent_ns` and `arrived_ns` are of the host's clock, and the second is not before the first.
  void add(std::uint64_t sent_ns, std::uint64_t worker_ns, std::uint64_t arrived_ns) noexcept;

  /// Largest error of to_host() in nanoseconds; -1 if there was no exchange.
  [[nodiscard]] std::int64_t bound_ns() const noexcept { return bound_; }
  /// By how much the worker's clock is ahead; 0 if both clocks can be the same.
  [[nodiscard]] std::int64_t offset_ns() const noexcept { return offset_; }
  /// A time of the worker's clock on the host's clock. 0, the unknown time, stays 0.
  [[nodiscard]] std::uint64_t to_host(std::uint64_t worker_ns) const noexcept;

 private:
  std::int64_t bound_ = -1;
  std::int64_t offset_ = 0;
};

}  // namespace python_engine
