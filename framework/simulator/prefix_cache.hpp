// Simulates a server's prefix cache, only for its counters: it finds which blocks of 16 tokens at
// the start of a prompt are hits. Hits do not make answers faster. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace inferbench::simulator {

class prefix_cache {
 public:
  static constexpr std::size_t block_tokens = 16;

  /// Remembers the last `capacity` blocks; 0: there is no cache.
  explicit prefix_cache(std::size_t capacity) : capacity_(capacity) {}

  /// Returns the number of tokens at the start of `prompt` that are hits. Only whole blocks count,
  /// and all text before a block must be equal, too. A token has `token_bytes` bytes. Also adds the
  /// blocks of `prompt` to the cache.
  std::uint64_t look_up(std::string_view prompt, std::size_t token_bytes = 1);

  void reset();

  [[nodiscard]] bool enabled() const noexcept { return capacity_ > 0; }

 private:
  std::size_t capacity_;
  std::unordered_set<std::uint64_t> known_;  // the hash of each block, which includes all blocks
                                             // before it
  std::vector<std::uint64_t> ring_;          // the hashes in the order in which they were added
  std::size_t oldest_ = 0;
};

}  // namespace inferbench::simulator
