// Finds the exact values of a few ranks among very many whole numbers, without a copy of the
// numbers. The search reads all numbers again, usually twice. Each time it narrows the range that
// contains the value of a rank. Uses half a megabyte for each rank. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/histogram.hpp"

namespace inferbench::metrics {

class rank_search {
 public:
  /// `ranks` are positions in the ascending values: 0-based and below counted.count(). `counted` is
  /// the histogram of all values.
  rank_search(const base::histogram& counted, std::span<const std::uint64_t> ranks);

  /// True if the search is not finished. In that case call add() again for every number, in any
  /// order, and after that narrow().
  [[nodiscard]] bool open() const noexcept { return !stretches_.empty(); }
  void add(std::uint64_t value) {
    const std::size_t bucket = base::histogram::bucket_of(value);
    for (std::size_t i = first_in_[bucket]; i < first_in_[bucket + 1]; ++i) {
      stretch& s = stretches_[i];
      const std::uint64_t offset = value - s.first;
      if (offset >= s.size) continue;
      if (s.gathers)
        s.numbers.push_back(value);
      else
        ++s.numbers[offset >> s.shift];
      return;
    }
  }
  void narrow();

  /// The values of the ranks, in the order of `ranks`. Valid if open() is false.
  [[nodiscard]] const std::vector<std::uint64_t>& values() const noexcept { return values_; }

 private:
  /// A range of numbers that contains the value of at least one rank.
  struct stretch : base::histogram::bucket {
    explicit stretch(const bucket& of) : bucket(of) {}
    bool gathers = false;                // the range has so few values that they are kept
    unsigned shift = 0;                  // otherwise the range has parts of 2^shift numbers, and
                                         // the values in each part are counted
    std::vector<std::uint64_t> numbers;  // if `gathers`: the values; otherwise the counts of the
                                         // parts
  };
  struct wanted {
    std::size_t place;  // index in values_
    std::uint64_t rank;
    base::histogram::bucket in;
  };

  void prepare();
  static base::histogram::bucket part_of(const stretch& s, std::uint64_t rank);

  std::vector<std::uint64_t> values_;
  std::vector<wanted> searched_;         // sorted by rank
  std::vector<stretch> stretches_;       // ascending, without overlap
  std::vector<std::uint32_t> first_in_;  // for each bucket: the index of the first stretch in this
                                         // bucket or above it
};

/// The values of `ranks`, in their order. `each(visit)` calls visit(value) for every number that
/// `counted` contains, and may be called several times.
template <typename source>
[[nodiscard]] std::vector<std::uint64_t> values_at(const base::histogram& counted,
                                                   std::span<const std::uint64_t> ranks,
                                                   source&& each) {
  rank_search search(counted, ranks);
  while (search.open()) {
    each([&](std::uint64_t value) { search.add(value); });
    search.narrow();
  }
  return search.values();
}

}  // namespace inferbench::metrics
