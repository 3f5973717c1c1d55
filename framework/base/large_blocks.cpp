#include "base/large_blocks.hpp"

#include <sys/mman.h>

namespace inferbench::base {

namespace {

constexpr std::size_t page = 4096;

large_block from_system(std::size_t bytes) noexcept {
  if (bytes > SIZE_MAX - page) return {};
  const std::size_t size = (bytes + page - 1) & ~(page - 1);
  void* const data =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return {};
  return {static_cast<std::byte*>(data), size, true};
}

void to_system(const large_block& block) noexcept { ::munmap(block.data, block.size); }

}  // namespace

// Reserves memory for the largest number of kept blocks, so that give_back() needs none.
large_blocks::large_blocks(std::size_t stock) : stock_(stock) {
  kept_.reserve(2 * stock / large_block_bytes + 1);
}

large_blocks::~large_blocks() { shrink_to(0); }

large_block large_blocks::remove(std::size_t index) noexcept {
  const large_block out = kept_[index];
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(index));
  bytes_ -= out.size;
  return out;
}

// The lock is not held while the system takes a block, because this takes long.
void large_blocks::shrink_to(std::size_t most) noexcept {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (bytes_ <= most) return;
    const large_block surplus = remove(0);
    lock.unlock();
    to_system(surplus);
  }
}

large_block large_blocks::take(std::size_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    std::size_t best = kept_.size();
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const bool fits = kept_[i].size >= bytes && kept_[i].size - bytes <= bytes / 4;
      if (fits && (best == kept_.size() || kept_[i].size < kept_[best].size)) best = i;
    }
    if (best != kept_.size()) return remove(best);
  }
  shrink_to(stock_);
  return from_system(bytes);
}

void large_blocks::give_back(const large_block& block) noexcept {
  if (block.data == nullptr) return;
  if (block.size > 2 * stock_ || block.size < large_block_bytes) return to_system(block);
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (bytes_ + block.size <= 2 * stock_) {
        kept_.push_back({block.data, block.size, false});
        bytes_ += block.size;
        return;
      }
    }
    shrink_to(2 * stock_ - block.size);
  }
}

std::size_t large_blocks::kept() const noexcept {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

large_blocks& large_blocks::of_process() noexcept {
  // Not destroyed: static objects with arenas may be destroyed later. A program that has no memory
  // for these few bytes cannot go on.
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
  static auto& all = *new large_blocks(std::size_t{64} << 20U);
  return all;
}

}  // namespace inferbench::base
