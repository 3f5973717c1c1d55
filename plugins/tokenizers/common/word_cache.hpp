// The ids of short pieces that were encoded before: most words of a text occur again.
//
// There is one table for each thread that encodes at the same time, up to a limit; a thread
// leases one for a call, so no lookup waits. A thread that finds none encodes without.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "hash.hpp"

namespace tokenizers {

class word_cache {
  static constexpr std::size_t tables = 16;
  static constexpr std::size_t words = 8;
  static constexpr std::size_t ways = 2;  // places that a piece can be in

  struct entry {
    std::array<std::uint64_t, words> key;  // the bytes, then zeros
    std::uint8_t size;                     // of the piece; 0: nothing here
    std::uint8_t count;
    std::array<std::uint32_t, 15> ids;
  };
  static_assert(sizeof(entry) == 128, "two cache lines, which processors fetch together");
  static_assert(ways == 2);

  struct free_memory {
    void operator()(void* memory) const { std::free(memory); }
  };
  struct alignas(64) table {
    std::atomic<bool> leased{false};
    std::unique_ptr<void, free_memory> memory;  // made at the first lease
    entry* entries = nullptr;                   // in it, where a cache line begins
  };

 public:
  /// Longer pieces, in bytes, and pieces of more ids than an entry holds are not kept.
  static constexpr std::size_t longest = words * 8;

  /// [one thread] Gives the table back when it goes.
  class lease {
   public:
    lease(table* from, std::size_t mask) noexcept : table_(from), mask_(mask) {}
    ~lease() {
      if (table_ != nullptr) table_->leased.store(false, std::memory_order_release);
    }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;

    /// Appends the ids of `piece`; if they are not known yet, by `make`, a function that appends
    /// them. `hash`: hash_of(piece).
    template <typename maker>
    void append(std::string_view piece, std::uint64_t hash, std::vector<std::uint32_t>& ids,
                maker&& make) {
      if (table_ == nullptr || piece.size() > longest || piece.empty()) return make();
      std::array<std::uint64_t, words> key;
      const std::size_t used = (piece.size() + 7) / 8;
      for (std::size_t i = 0; i < used; ++i)
        key[i] = load_bytes(piece.data() + 8 * i, piece.size() - 8 * i);
      entry* const set = &table_->entries[hash & mask_];
      for (std::size_t way = 0; way < ways; ++way) {
        const entry& at = set[way];
        if (at.size != piece.size() || !std::equal(key.data(), key.data() + used, at.key.data()))
          continue;
        // Mostly there is one token, and a loop costs less than a call.
        for (std::size_t i = 0; i < at.count; ++i)
          ids.push_back(at.ids[i]);
        return;
      }
      const std::size_t before = ids.size();
      make();
      const std::size_t made = ids.size() - before;
      if (made > set->ids.size()) return;
      // The older entry of the two is replaced.
      set[1] = set[0];
      std::copy_n(key.begin(), used, set->key.begin());
      set->size = static_cast<std::uint8_t>(piece.size());
      set->count = static_cast<std::uint8_t>(made);
      std::copy_n(ids.begin() + static_cast<std::ptrdiff_t>(before), made, set->ids.begin());
    }

   private:
    table* table_;
    std::size_t mask_;
  };

  /// `tokens`: the size of the vocabulary. A table has room for about as many pieces, at most 16
  /// MB, and takes memory only for the parts that are used.
  explicit word_cache(std::size_t tokens);
  /// [any] thread. The cache outlives it.
  [[nodiscard]] lease take();

 private:
  std::size_t slots_;
  std::array<table, tables> tables_;
};

}  // namespace tokenizers
