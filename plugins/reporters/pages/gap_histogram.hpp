// How often gaps of each length occurred, for runs with more gaps than a page can hold. The buckets
// grow with the length: a bucket is at most an eighth of its lower edge wide. Constant memory. For
// one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <inferbench/json_writer.hpp>

namespace reporters {

class gap_histogram {
 public:
  void add(std::uint64_t us) noexcept { ++counts_[bucket_of(us)]; }

  /// Writes {"edges_ms": [...], "counts": [...]}: bucket i has the gaps from edge i, inclusive, to
  /// edge i + 1. Empty buckets at both ends are left out; without gaps both lists are empty.
  void write(ifb::json_writer& out) const;

 private:
  // Up to 16 us each length has its own bucket; above, each power of two has eight buckets.
  static constexpr unsigned fine_bits = 3;
  static constexpr std::size_t buckets = std::size_t{(64 - fine_bits + 1)} << fine_bits;
  [[nodiscard]] static std::size_t bucket_of(std::uint64_t us) noexcept;
  [[nodiscard]] static double lower_edge_us(std::size_t bucket) noexcept;

  std::array<std::uint64_t, buckets> counts_{};
};

}  // namespace reporters
