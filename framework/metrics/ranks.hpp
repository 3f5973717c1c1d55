// Exact values of a few ranks of very many whole numbers, without a copy of them. The search
// reads all numbers again, twice mostly, and each time narrows the stretch in which the value of
// a rank can be. Half a megabyte for each rank. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/histogram.hpp"

namespace inferbench::metrics {

class rank_search {
 public:
  /// `ranks`: 0-based, of the ascending values, below counted.count().
  rank_search(const base::histogram& counted, std::span<const std::uint64_t> ranks);

  /// True: add() has to be called once more for every number, in any order, and then narrow().
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

  /// In the order of `ranks`. Valid when open() is false.
  [[nodiscard]] const std::vector<std::uint64_t>& values() const noexcept { return values_; }

 private:
  /// A range of numbers in which the value of a rank is.
  struct stretch : base::histogram::bucket {
    explicit stretch(const bucket& of) : bucket(of) {}
    bool gathers = false;                // its values are few enough to be kept
    unsigned shift = 0;                  // else they are counted by parts of 2^shift numbers
    std::vector<std::uint64_t> numbers;  // the values, or the counts of the parts
  };
  struct wanted {
    std::size_t place;  // in values_
    std::uint64_t rank;
    base::histogram::bucket in;
  };

  void prepare();
  static base::histogram::bucket part_of(const stretch& s, std::uint64_t rank);

  std::vector<std::uint64_t> values_;
  std::vector<wanted> searched_;         // by rank
  std::vector<stretch> stretches_;       // ascending, none in another
  std::vector<std::uint32_t> first_in_;  // by bucket: the first stretch in it or above
};

/// `each(visit)` calls visit(value) for every number that `counted` has counted.
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
