#include "simulator/prefix_cache.hpp"

#include <algorithm>

#include "simulator/random.hpp"

namespace inferbench::simulator {

std::uint64_t prefix_cache::look_up(std::string_view prompt, std::size_t token_bytes) {
  if (capacity_ == 0) return 0;
  // Only the blocks that fit are used: a prompt longer than the capacity would evict its own
  // beginning.
  const std::size_t block_bytes = block_tokens * token_bytes;
  const std::size_t blocks = std::min(prompt.size() / block_bytes, capacity_);
  std::uint64_t hash = token_bytes;
  std::uint64_t found = 0;
  bool unbroken = true;
  for (std::size_t i = 0; i < blocks; ++i) {
    hash = seed_of(hash, prompt.substr(i * block_bytes, block_bytes));
    if (!known_.insert(hash).second) {
      if (unbroken) found += block_tokens;
      continue;
    }
    unbroken = false;
    if (ring_.size() < capacity_) {
      ring_.push_back(hash);
    } else {
      known_.erase(ring_[oldest_]);
      ring_[oldest_] = hash;
      oldest_ = (oldest_ + 1) % capacity_;
    }
  }
  return found;
}

void prefix_cache::reset() {
  known_.clear();
  ring_.clear();
  oldest_ = 0;
}

}  // namespace inferbench::simulator
