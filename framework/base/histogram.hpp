// Counts of whole numbers in buckets that grow with the value: constant memory, and
// whatever is read out is at most 0.1 % off. Two histograms of the same kind of value
// can be merged, whoever filled them. One thread at a time.
//
// Values below 1024 have a bucket each; above, every power of two is cut into 512
// equal ones, and a bucket answers with its middle: off by at most half a bucket,
// 1/1024 of the value. The extremes, sum and sum of squares are kept exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inferbench::base {

class histogram {
 public:
  /// Makes room for values up to `largest`, so that add() does not allocate for them.
  void reserve(std::uint64_t largest) { counts_.reserve(bucket_of(largest) + 1); }
  /// Adds `value` `times` times. Allocates only when it is larger than any before.
  void add(std::uint64_t value, std::uint64_t times = 1);
  void merge(const histogram& other);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// Exact; these and the figures below are 0 while it is empty.
  [[nodiscard]] std::uint64_t minimum() const noexcept { return empty() ? 0 : minimum_; }
  [[nodiscard]] std::uint64_t maximum() const noexcept { return maximum_; }
  [[nodiscard]] double sum() const noexcept;
  [[nodiscard]] double mean() const noexcept;
  /// Of the population: divided by count.
  [[nodiscard]] double deviation() const noexcept;

  /// The percentile p (0..100; beyond, the nearer end), interpolated between closest
  /// ranks as in metrics/statistics.hpp.
  [[nodiscard]] double percentile(double p) const;
  /// How many values are above `limit`; right to the bucket.
  [[nodiscard]] std::uint64_t above(std::uint64_t limit) const noexcept;

  /// What it occupies.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return sizeof *this + counts_.capacity() * sizeof(std::uint64_t);
  }

 private:
  __extension__ using wide = unsigned __int128;

  [[nodiscard]] static std::size_t bucket_of(std::uint64_t value) noexcept;
  [[nodiscard]] static double middle_of(std::size_t bucket) noexcept;
  /// The value of rank `rank`, 0-based, ascending.
  [[nodiscard]] double at_rank(std::uint64_t rank) const noexcept;

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t minimum_ = UINT64_MAX;
  std::uint64_t maximum_ = 0;
  wide sum_ = 0;
  wide squares_ = 0;
};

}  // namespace inferbench::base
