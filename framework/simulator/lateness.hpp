// A histogram of the simulator's own lateness: the actual minus the planned time of its events. It
// shows which part of a client's error the simulator has caused. One thread.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace inferbench::simulator {

/// A histogram with 32 slots for each power of two: a quantile is at most 3.2 % too high.
/// Constant memory (15 KiB), no allocation.
class lateness {
 public:
  void record(std::uint64_t ns) noexcept {
    ++counts_[slot(ns)];
    ++count_;
    sum_ += static_cast<double>(ns);
    if (ns > maximum_) maximum_ = ns;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] double sum_ns() const noexcept { return sum_; }
  [[nodiscard]] std::uint64_t maximum_ns() const noexcept { return maximum_; }

  /// The smallest slot bound that at least the share `q` of the values do not exceed; 0 if there
  /// are no values.
  [[nodiscard]] std::uint64_t quantile_ns(double q) const noexcept {
    const double wanted = q * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > 0 && static_cast<double>(seen) >= wanted) {
        const std::uint64_t top = upper(i);
        return top < maximum_ ? top : maximum_;
      }
    }
    return maximum_;
  }

  /// The number of values whose slot ends at or below `ns`.
  [[nodiscard]] std::uint64_t at_most(std::uint64_t ns) const noexcept {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size() && upper(i) <= ns; ++i)
      seen += counts_[i];
    return seen;
  }

 private:
  static constexpr unsigned bits = 5;
  static constexpr std::size_t parts = std::size_t{1} << bits;

  // Below 64 ns each value has a slot of its own. From 64 ns on, values with the same highest bit
  // and the same 5 bits after it share a slot.
  [[nodiscard]] static std::size_t slot(std::uint64_t ns) noexcept {
    if (ns < 2 * parts) return static_cast<std::size_t>(ns);
    const auto shift = static_cast<unsigned>(std::bit_width(ns)) - bits - 1;
    return (std::size_t{shift} << bits) + static_cast<std::size_t>(ns >> shift);
  }
  [[nodiscard]] static std::uint64_t upper(std::size_t index) noexcept {
    if (index < 2 * parts) return index;
    const auto shift = static_cast<unsigned>(index >> bits) - 1;
    const std::uint64_t lead = (index & (parts - 1)) + parts;
    return ((lead + 1) << shift) - 1;
  }

  std::array<std::uint64_t, (std::size_t{64} - bits + 1) << bits> counts_{};
  std::uint64_t count_ = 0;
  double sum_ = 0;
  std::uint64_t maximum_ = 0;
};

}  // namespace inferbench::simulator
