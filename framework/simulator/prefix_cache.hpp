// A model of a server's prefix cache for its counters: which blocks of 16 tokens at the
// start of a prompt are hits. Hits save no time here. One thread.
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

  /// Remembers the last `capacity` blocks; 0: none.
  explicit prefix_cache(std::size_t capacity) : capacity_(capacity) {}

  /// How many tokens at the start of `prompt`, of `token_bytes` bytes each, are in whole
  /// blocks that were seen after the same beginning. Then adds the blocks of `prompt`.
  std::uint64_t look_up(std::string_view prompt, std::size_t token_bytes = 1);

  void reset();

  [[nodiscard]] bool enabled() const noexcept { return capacity_ > 0; }

 private:
  std::size_t capacity_;
  std::unordered_set<std::uint64_t> known_;  // hash of everything up to the block's end
  std::vector<std::uint64_t> ring_;          // in the order they came
  std::size_t oldest_ = 0;
};

}  // namespace inferbench::simulator
