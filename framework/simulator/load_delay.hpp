// A delay of the simulator, which may grow with the load. On the command line it is written as
//   50ms   lognormal(50ms,0.3)   1ms + 0.05ms*active
// In the last form, `active` is the number of requests that run at that moment (scheduler.hpp). A
// value type.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "simulator/distribution.hpp"

namespace inferbench::simulator {

class load_delay {
 public:
  /// `alone`: the delay without the load, in ns. `per_active`: ns for each active request; at least
  /// 0.
  load_delay(distribution alone, double per_active = 0) : alone_(alone), per_active_(per_active) {}

  /// Draws a delay in ns, which is never negative, at a moment with `active` requests.
  [[nodiscard]] double sample(random_stream& draws, std::size_t active) const noexcept {
    return alone_.sample(draws) + per_active_ * static_cast<double>(active);
  }

  /// The mean without the load. With `active` requests it is larger by per_active() * active.
  [[nodiscard]] double mean_alone() const noexcept { return alone_.mean(); }
  [[nodiscard]] double per_active() const noexcept { return per_active_; }
  /// True if every sample is 0.
  [[nodiscard]] bool zero() const noexcept { return alone_.zero() && per_active_ == 0; }

 private:
  distribution alone_;
  double per_active_;
};

/// Parses a delay: a distribution of delays (distributed_delay), then optionally "+ TIME*active".
/// Throws base::error with `flag` as its position.
[[nodiscard]] load_delay parse_delays(std::string_view text, const std::string& flag);

}  // namespace inferbench::simulator
