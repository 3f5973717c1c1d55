#include "word_cache.hpp"

#include <bit>

namespace tokenizers {

word_cache::word_cache(std::size_t tokens)
    : slots_(std::bit_ceil(std::clamp<std::size_t>(tokens, 1U << 8U, 1U << 17U))) {}

word_cache::lease word_cache::take() {
  // A thread first tries the table that it has filled. If another thread leases this table, it
  // takes another table.
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t own = threads.fetch_add(1, std::memory_order_relaxed);
  for (std::size_t i = 0; i < tables; ++i) {
    table& candidate = tables_[(own + i) % tables];
    if (candidate.leased.exchange(true, std::memory_order_acquire)) continue;
    if (candidate.entries == nullptr) {
      // calloc returns zeros, and does not touch any page before it is used.
      std::size_t bytes = (slots_ + 1) * sizeof(entry);
      candidate.memory.reset(std::calloc(1, bytes));
      void* begin = candidate.memory.get();
      if (begin != nullptr)
        candidate.entries =
            static_cast<entry*>(std::align(sizeof(entry), slots_ * sizeof(entry), begin, bytes));
    }
    if (candidate.entries != nullptr) return {&candidate, slots_ - ways};
    candidate.leased.store(false, std::memory_order_release);
  }
  return {nullptr, 0};
}

}  // namespace tokenizers
