// The ids of short pieces that were encoded before: most words of a text occur again.
// There is one table for each thread that encodes at the same time, up to a limit. A thread leases
// a table for one call, so lookups never wait for a lock. If no table is free, the thread encodes
// without a cache.
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
  static constexpr std::size_t ways = 2;  // number of entries in which a piece can be stored

  struct entry {
    std::array<std::uint64_t, words> key;  // the bytes of the piece, followed by zeros
    std::uint8_t size;                     // number of bytes of the piece; 0: the entry is empty
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
    std::unique_ptr<void, free_memory> memory;  // allocated at the first lease
    entry* entries = nullptr;  // a part of `memory` that is aligned to a cache line
  };

 public:
  /// Pieces that have more bytes, or more ids than an entry can store, are not cached.
  static constexpr std::size_t longest = words * 8;

  /// [one thread] The destructor gives the table back.
  class lease {
   public:
    lease(table* from, std::size_t mask) noexcept : table_(from), mask_(mask) {}
    ~lease() {
      if (table_ != nullptr) table_->leased.store(false, std::memory_order_release);
    }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;

    /// Appends the ids of `piece`. If they are not known yet, calls `make`, a function that appends
    /// them. `hash` must be hash_of(piece).
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
        // Usually there is only one token, and a loop costs less than a function call.
        for (std::size_t i = 0; i < at.count; ++i)
          ids.push_back(at.ids[i]);
        return;
      }
      const std::size_t before = ids.size();
      make();
      const std::size_t made = ids.size() - before;
      if (made > set->ids.size()) return;
      // The older of the two entries is replaced.
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

  /// `tokens` is the size of the vocabulary. A table has room for about this number of pieces, at
  /// most 16 MB. It takes memory only for the parts that are used.
  explicit word_cache(std::size_t tokens);
  /// [any thread] The cache must outlive the lease.
  [[nodiscard]] lease take();

 private:
  std::size_t slots_;
  std::array<table, tables> tables_;
};

}  // namespace tokenizers
