#include "base/clock.hpp"

#include <ctime>

namespace inferbench::base {

namespace {

std::uint64_t read(clockid_t id) noexcept {
  timespec t{};
  ::clock_gettime(id, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * ns_per_s + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

std::uint64_t monotonic_clock::now() const noexcept { return read(CLOCK_MONOTONIC); }

std::int64_t clock::unix_now() const noexcept { return base::unix_now(); }

std::int64_t unix_now() noexcept { return static_cast<std::int64_t>(read(CLOCK_REALTIME)); }

}  // namespace inferbench::base
