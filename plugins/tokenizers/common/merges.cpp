#include "merges.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

namespace tokenizers {

namespace {

// Up to this number of symbols, a scan for the lowest rank, which the compiler vectorizes, is
// faster than a heap.
constexpr std::size_t short_piece = 128;
constexpr unsigned place_bits = 7;
// The maximum number of ranks such that rank and place fit into one number.
constexpr std::size_t most_ranks = std::size_t{1} << (31U - place_bits);
constexpr std::size_t lanes = 8;

/// A linked list of symbols by place. Each place has a key: the rank of the pair of this symbol and
/// the next symbol, combined with the place. The lowest key is the pair to merge.
class few_symbols {
 public:
  few_symbols(const merge_table& merges, std::uint32_t* ids, std::size_t count)
      : merges_(merges), ids_(ids), count_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      next_[i] = static_cast<std::uint8_t>(i + 1);
      previous_[i] = static_cast<std::uint8_t>(i - 1);
    }
    for (std::size_t i = 0; i + 1 < count; ++i)
      look(i, i + 1);
    for (std::size_t i = count - 1; i % lanes != 0 || i == count - 1; ++i)
      keys_[i] = none;
  }

  /// Merges all pairs. Returns the number of remaining symbols, which are at the front of the ids.
  std::size_t run() {
    for (;;) {
      std::int32_t lowest = none;
      for (std::size_t i = 0; i < count_; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
          lowest = std::min(lowest, keys_[i + lane]);
      if (lowest == none) break;
      const std::size_t left = static_cast<std::uint32_t>(lowest) & (short_piece - 1);
      const std::size_t right = next_[left];
      const std::size_t after = next_[right];
      ids_[left] = merged_[left];
      keys_[right] = none;
      keys_[left] = none;
      next_[left] = static_cast<std::uint8_t>(after);
      if (after < count_) {
        previous_[after] = static_cast<std::uint8_t>(left);
        look(left, after);
      }
      if (left > 0) look(previous_[left], left);
    }
    std::size_t left = 0;
    for (std::size_t at = 0; at < count_; at = next_[at])
      ids_[left++] = ids_[at];
    return left;
  }

 private:
  // Signed, because older processors can compare only vectors of signed numbers.
  static constexpr std::int32_t none = merge_table::none;

  void look(std::size_t at, std::size_t next) {
    const auto found = merges_.find(ids_[at], ids_[next]);
    keys_[at] = found.rank == merge_table::none
                    ? none
                    : static_cast<std::int32_t>(found.rank << place_bits | at);
    merged_[at] = found.id;
  }

  const merge_table& merges_;
  std::uint32_t* ids_;
  std::size_t count_;
  // Not initialised, because most pieces use only a small part of the arrays.
  std::array<std::int32_t, short_piece + lanes> keys_;
  std::array<std::uint32_t, short_piece> merged_;
  std::array<std::uint8_t, short_piece> next_;
  std::array<std::uint8_t, short_piece> previous_;
};

/// A linked list of symbols, and a heap of their pairs, sorted by rank and place. If a merge
/// invalidates a pair, the pair stays in the heap until it comes to the top.
class long_piece {
 public:
  long_piece(const merge_table& merges, std::uint32_t* ids, std::size_t count)
      : merges_(merges), ids_(ids), links_(count) {
    const auto end = static_cast<std::uint32_t>(count);
    for (std::uint32_t i = 0; i < end; ++i) {
      links_[i] = {i - 1, i + 1, merge_table::none, 0};
      if (i + 1 < end) look(i, false);
    }
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  /// Merges all pairs. Returns the number of remaining symbols, which are at the front of the ids.
  std::size_t run() {
    const auto end = static_cast<std::uint32_t>(links_.size());
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const std::uint64_t top = heap_.back();
      heap_.pop_back();
      const auto left = static_cast<std::uint32_t>(top);
      if (links_[left].rank != top >> 32U) continue;
      const std::uint32_t right = links_[left].next;
      ids_[left] = links_[left].merged;
      links_[right].rank = merge_table::none;
      links_[left].rank = merge_table::none;
      links_[left].next = links_[right].next;
      if (links_[left].next < end) {
        links_[links_[left].next].previous = left;
        look(left, true);
      }
      if (left > 0) look(links_[left].previous, true);
    }
    std::size_t count = 0;
    for (std::uint32_t at = 0; at < end; at = links_[at].next)
      ids_[count++] = ids_[at];
    return count;
  }

 private:
  struct link {
    std::uint32_t previous;
    std::uint32_t next;
    std::uint32_t rank;    // the rank of the pair of this symbol and the next symbol
    std::uint32_t merged;  // the symbol that replaces the pair
  };
  void look(std::uint32_t at, bool in_heap) {
    link& it = links_[at];
    const auto found = merges_.find(ids_[at], ids_[it.next]);
    it.rank = found.rank;
    it.merged = found.id;
    if (found.rank == merge_table::none) return;
    heap_.push_back(std::uint64_t{found.rank} << 32U | at);
    if (in_heap) std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  const merge_table& merges_;
  std::uint32_t* ids_;
  std::vector<link> links_;
  std::vector<std::uint64_t> heap_;
};

}  // namespace

void merge_table::reserve(std::size_t pairs) {
  slots_.assign(slots_for(pairs), slot());
  mask_ = slots_.size() - 1;
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(slots_.size()));
  // There are four bits for each slot.
  hints_.assign(std::max<std::size_t>(1, slots_.size() / 16), 0);
  hint_shift_ = 64U - static_cast<unsigned>(std::countr_zero(hints_.size() * 64));
  count_ = 0;
}

void merge_table::add(std::uint32_t left, std::uint32_t right, result what) {
  if ((count_ + 1) * 3 > slots_.size() * 2) grow();
  ranks_ = std::max<std::size_t>(ranks_, what.rank + std::size_t{1});
  const std::uint64_t hash = hash_of_pair(left, right);
  const std::size_t bit = hash >> hint_shift_;
  hints_[bit / 64] |= std::uint64_t{1} << bit % 64;
  for (std::size_t at = hash >> shift_;; at = (at + 1) & mask_) {
    slot& it = slots_[at];
    if (it.what.rank == none) {
      it = {left, right, what};
      ++count_;
      return;
    }
    if (it.left == left && it.right == right) {
      it.what = what;
      return;
    }
  }
}

void merge_table::grow() {
  const std::vector<slot> before = std::move(slots_);
  const std::size_t pairs = count_ * 2 + 16;
  reserve(pairs);
  for (const slot& it : before)
    if (it.what.rank != none) add(it.left, it.right, it.what);
}

void merge_all(const merge_table& merges, std::vector<std::uint32_t>& symbols, std::size_t from) {
  std::size_t count = symbols.size() - from;
  if (count < 2) return;
  std::uint32_t* ids = symbols.data() + from;
  if (count <= short_piece && merges.ranks() <= most_ranks)
    count = few_symbols(merges, ids, count).run();
  else
    count = long_piece(merges, ids, count).run();
  symbols.resize(from + count);
}

}  // namespace tokenizers
