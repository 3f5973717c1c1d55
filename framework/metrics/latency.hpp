// One value of a figure: a time between two stamps, and how far the client itself can have moved
// it. Times are in ns; figures are in ms.
#pragma once

#include <algorithm>
#include <cstdint>

namespace inferbench::metrics {

/// Milliseconds from one stamp to another; negative if `to` is earlier than `from`.
[[nodiscard]] inline double ms(std::uint64_t from, std::uint64_t to) noexcept {
  return (to >= from ? static_cast<double>(to - from) : -static_cast<double>(from - to)) / 1e6;
}

struct latency {
  std::uint64_t from = 0, to = 0;
  /// If `parts` is 0, the value is the time itself; otherwise it is the time divided by `parts`.
  /// All latencies of a figure have `parts` above 0, or all have 0.
  std::uint64_t parts = 0;
  /// The most that the whole time can be too long or too short because of the client itself.
  std::uint64_t too_long = 0, too_short = 0;
  bool unknown = false;  // too_long and too_short are not known, and their values have no meaning

  [[nodiscard]] double value_ms() const noexcept {
    return parts == 0 ? ms(from, to) : ms(from, to) / static_cast<double>(parts);
  }

  /// The smallest and the largest time that is possible without the influence of the client. A time
  /// does not become negative.
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
