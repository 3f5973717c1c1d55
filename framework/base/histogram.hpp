// Counts whole numbers in buckets whose width grows with the value. The memory is bounded, and each
// percentile has an error of at most 0.1 %. One thread at a time.
//
// Each value below 1024 has its own bucket. Each range from a power of two to the next, from 1024
// on, is divided into 512 buckets of equal width. A bucket represents its values by its middle, so
// the error is at most half a bucket: 1/1024 of the value. The minimum, maximum, sum and sum of
// squares are exact.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inferbench::base {

class histogram {
 public:
  /// Makes room for values up to `largest`, so that add() does not allocate for them.
  void reserve(std::uint64_t largest) { counts_.reserve(bucket_of(largest) + 1); }
  /// Adds `value` `times` times. Allocates only if `value` is larger than all earlier values and
  /// than the argument of reserve().
  void add(std::uint64_t value, std::uint64_t times = 1) {
    if (times == 0) return;
    const std::size_t at = bucket_of(value);
    if (at >= counts_.size()) grow(at);
    counts_[at] += times;
    count_ += times;
    minimum_ = std::min(minimum_, value);
    maximum_ = std::max(maximum_, value);
    const wide all = wide{value} * times;
    sum_ += all;
    squares_ += all * value;
  }
  /// Removes all values; the memory stays allocated.
  void clear() noexcept {
    counts_.clear();
    count_ = 0;
    minimum_ = UINT64_MAX;
    maximum_ = 0;
    sum_ = squares_ = 0;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// The exact minimum and maximum. They and the figures below are 0 while the histogram is empty.
  [[nodiscard]] std::uint64_t minimum() const noexcept { return empty() ? 0 : minimum_; }
  [[nodiscard]] std::uint64_t maximum() const noexcept { return maximum_; }
  [[nodiscard]] double mean() const noexcept;
  /// The standard deviation of the population: the sum of squared differences is divided by
  /// count(), not by count() - 1.
  [[nodiscard]] double deviation() const noexcept;

  /// The percentile `p`, clamped to 0..100. Interpolates between the closest ranks, like
  /// metrics/statistics.hpp.
  [[nodiscard]] double percentile(double p) const;

  /// A range of values that are counted together.
  struct bucket {
    std::uint64_t first = 0;
    std::uint64_t size = 1;    // the number of different values in the range: a power of two
    std::uint64_t count = 0;   // the number of counted values in the range
    std::uint64_t before = 0;  // the number of counted values below the range
  };
  /// The bucket of the value with the ascending rank `rank`, which counts from 0 and is less than
  /// count().
  [[nodiscard]] bucket holding(std::uint64_t rank) const noexcept;
  /// The index of the bucket of a value. A larger value never has a smaller index.
  [[nodiscard]] static std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < exact) return static_cast<std::size_t>(value);
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - exact_bits;
    return shift * per_octave + static_cast<std::size_t>(value >> shift);
  }
  /// bucket_of() of the largest value, plus one.
  [[nodiscard]] std::size_t buckets() const noexcept { return counts_.size(); }

  /// The memory that the histogram occupies, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return sizeof *this + counts_.capacity() * sizeof(std::uint64_t);
  }

 private:
  __extension__ using wide = unsigned __int128;

  static constexpr unsigned exact_bits = 10;  // values below 2^10 have a bucket each
  static constexpr std::size_t exact = std::size_t{1} << exact_bits;
  static constexpr std::size_t per_octave = exact / 2;

  void grow(std::size_t bucket);
  /// The value with the ascending rank `rank`, which counts from 0.
  [[nodiscard]] double at_rank(std::uint64_t rank) const noexcept;

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t minimum_ = UINT64_MAX;
  std::uint64_t maximum_ = 0;
  wide sum_ = 0;
  wide squares_ = 0;
};

}  // namespace inferbench::base
