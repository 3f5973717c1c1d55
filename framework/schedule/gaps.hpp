// The gaps between requests: gamma variates, or gaps that are all equal.
#pragma once

#include <cmath>
#include <cstdint>

#include "schedule/gamma.hpp"

namespace inferbench::schedule {

/// Draws the gaps of one schedule. The same seed gives the same gaps on every machine.
class gaps {
 public:
  /// `burstiness`: the shape of the gamma distribution, > 0. If it is infinite, nothing is drawn.
  gaps(double burstiness, std::uint64_t seed)
      : even_(std::isinf(burstiness)), burstiness_(burstiness), source_(seed) {}

  /// The next gap in seconds. Its mean is 1 / `rate`; `rate` is in requests per second, > 0. The
  /// gap is not finite if it is too large for a double.
  [[nodiscard]] double next(double rate) {
    return even_ ? 1.0 / rate : source_.standard_gamma(burstiness_) * (1.0 / (rate * burstiness_));
  }

 private:
  bool even_;
  double burstiness_;
  gamma_source source_;
};

}  // namespace inferbench::schedule
