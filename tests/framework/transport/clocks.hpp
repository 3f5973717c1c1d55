// Clocks that tests move.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.hpp"

namespace inferbench::transport::test {

/// A clock that stands still until the test moves it.
class manual_clock final : public base::clock {
 public:
  [[nodiscard]] std::uint64_t now() const noexcept override { return at; }
  [[nodiscard]] std::int64_t unix_now() const noexcept override { return unix_at; }
  std::uint64_t at = 1000;
  std::int64_t unix_at = 0;
};

/// A clock that advances by one with each reading.
class counting_clock final : public base::clock {
 public:
  [[nodiscard]] std::uint64_t now() const noexcept override { return ++at; }
  mutable std::uint64_t at = 0;
};

/// The monotonic clock, which any thread may set forward. A limit of time that is much longer than
/// the test then ends when the test wants, and never because the machine is slow.
class jumping_clock final : public base::clock {
 public:
  [[nodiscard]] std::uint64_t now() const noexcept override { return real_.now() + ahead_.load(); }
  void jump(std::uint64_t ns) noexcept { ahead_ += ns; }

 private:
  const base::monotonic_clock real_;
  std::atomic<std::uint64_t> ahead_ = 0;
};

}  // namespace inferbench::transport::test
