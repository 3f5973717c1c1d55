#include "engine_patience.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace reference_engine {

namespace {

// The host has no call for the end of the run, so it is asked in this interval.
constexpr std::uint64_t look_interval_ns = 50'000'000;

}  // namespace

void engine_patience::wait(std::uint64_t began_ns, std::uint64_t until_ns, std::string_view what) {
  constexpr std::uint64_t millisecond = 1'000'000;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (is_stopped())
      throw ifb::failure{IFB_E_CANCELLED, "the run was stopped: " + std::string(what)};
    const std::uint64_t now = host_.now();
    if (now >= until_ns) return;
    host_.progress().report(what, (now - std::min(now, began_ns)) / millisecond,
                            (until_ns - began_ns) / millisecond);
    changed_.wait_for(lock, std::chrono::nanoseconds(std::min(until_ns - now, look_interval_ns)));
  }
}

void engine_patience::cancel() noexcept {
  cancelled_ = true;
  // The waiting thread sees the sign before or after its wait, but not in between.
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

}  // namespace reference_engine
