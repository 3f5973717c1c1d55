// One value of a figure: a time between two stamps, and how far the client itself can have moved
// it. Times are ns until they become figures, which are ms.
#pragma once

#include <algorithm>
#include <cstdint>

namespace inferbench::metrics {

/// Milliseconds from one stamp to another, negative when they are the other way round.
[[nodiscard]] inline double ms(std::uint64_t from, std::uint64_t to) noexcept {
  return (to >= from ? static_cast<double>(to - from) : -static_cast<double>(from - to)) / 1e6;
}

struct latency {
  std::uint64_t from = 0, to = 0;
  /// The value is the time divided by `parts`; 0: the value is the time itself. `parts` is 0 for
  /// all latencies of a figure, or for none.
  std::uint64_t parts = 0;
  /// The most that the whole time can be too long or too short because of the client itself.
  std::uint64_t too_long = 0, too_short = 0;
  bool unknown = false;  // the two limits are not known, and hold nothing

  [[nodiscard]] double value_ms() const noexcept {
    return parts == 0 ? ms(from, to) : ms(from, to) / static_cast<double>(parts);
  }

  /// The least and the most that it can have been; no time becomes negative by it.
  [[nodiscard]] latency shortened() const noexcept {
    latency out = *this;
    if (to > from) out.to -= std::min(too_long, to - from);
    return out;
  }
  [[nodiscard]] latency lengthened() const noexcept {
    latency out = *this;
    out.to += too_short;
    return out;
  }
};

}  // namespace inferbench::metrics
