// Byte-pair encoding: a table of the pairs of symbols that are merged into one symbol, and the
// merging.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "hash.hpp"

namespace tokenizers {

/// Immutable after the last add(): then [any thread].
class merge_table {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::int32_t>::max();

  struct result {
    std::uint32_t rank = none;  // a lower rank is merged earlier
    std::uint32_t id = 0;
  };

  /// Makes room for `pairs` pairs, so that add() does not have to grow the table. May be called
  /// only before the first add().
  void reserve(std::size_t pairs);
  /// `what.rank` must be less than `none`. If a pair is added twice, the last result counts.
  void add(std::uint32_t left, std::uint32_t right, result what);
  /// Returns the highest rank plus one.
  [[nodiscard]] std::size_t ranks() const noexcept { return ranks_; }

  /// If the pair does not merge, the rank of the result is `none`.
  [[nodiscard]] result find(std::uint32_t left, std::uint32_t right) const noexcept {
    const std::uint64_t hash = hash_of_pair(left, right);
    const std::size_t bit = hash >> hint_shift_;
    if ((hints_[bit / 64] >> bit % 64 & 1U) == 0) return {};
    for (std::size_t at = hash >> shift_;; at = (at + 1) & mask_) {
      const slot& it = slots_[at];
      if (it.what.rank == none || (it.left == left && it.right == right)) return it.what;
    }
  }

 private:
  struct alignas(16) slot {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    result what;
  };
  [[nodiscard]] static std::uint64_t hash_of_pair(std::uint32_t left,
                                                  std::uint32_t right) noexcept {
    return hash_of(std::uint64_t{left} << 32U | right);
  }
  void grow();

  std::vector<slot> slots_ = std::vector<slot>(2);
  std::size_t mask_ = 1;
  unsigned shift_ = 63;
  // The highest bits of a pair's hash are the index of a bit here, which is set if the table has a
  // pair with these highest bits. Most pairs that find() gets are not in the table: for nearly all
  // of them find() reads only this bit. The bits take far less memory than the slots, so they stay
  // in the processor's cache.
  std::vector<std::uint64_t> hints_ = std::vector<std::uint64_t>(1);
  unsigned hint_shift_ = 58;
  std::size_t count_ = 0;
  std::size_t ranks_ = 0;
};

/// Merges neighbours in `symbols`, from index `from` to the end, until no neighbours can be merged.
/// The pair with the lowest rank is merged first; if several have this rank, the leftmost. The time
/// is nearly linear in the number of symbols. [any thread]
void merge_all(const merge_table& merges, std::vector<std::uint32_t>& symbols, std::size_t from);

}  // namespace tokenizers
