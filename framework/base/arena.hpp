// Memory that is freed as a whole: an arena of the contract (abi.h). A plugin sees it as an
// opaque handle and allocates through ifb_host::alloc.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/large_blocks.hpp"

/// Used by one thread at a time. The struct is in the global namespace, because the C contract
/// names it.
struct ifb_arena {
 public:
  /// `limit`: the largest sum of all allocated bytes; alloc() returns nullptr instead of exceeding
  /// it.
  explicit ifb_arena(std::size_t limit = SIZE_MAX) : limit_(limit) {}
  ifb_arena(const ifb_arena&) = delete;
  ifb_arena& operator=(const ifb_arena&) = delete;
  ~ifb_arena() { free_large(); }

  /// Returns memory that is zeroed and 16-byte aligned; it is valid until reset() or destruction.
  /// Returns nullptr if `bytes` would exceed the limit or if the machine is out of memory.
  [[nodiscard]] void* alloc(std::size_t bytes) noexcept;

  /// A copy of `text` in the arena; empty if alloc() returns nullptr.
  [[nodiscard]] std::string_view copy(std::string_view text) noexcept;

  /// Whether the byte at `address` was allocated here.
  [[nodiscard]] bool owns(const void* address) const noexcept;

  /// Frees all allocations. Keeps one chunk (the last chunk of at most 64 KiB, otherwise the first
  /// chunk), so that later allocations of about the same size need no memory from the heap. Keeps
  /// no allocation of large_block_bytes or more.
  void reset() noexcept;

  /// The sum of all allocated bytes.
  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  struct chunk {
    std::unique_ptr<std::byte[]> data;
    std::size_t size;
  };
  [[nodiscard]] void* alloc_large(std::size_t bytes) noexcept;
  void free_large() noexcept;

  std::vector<chunk> chunks_;
  std::vector<inferbench::base::large_block> large_;  // one for each large allocation
  std::size_t offset_ = 0;                            // offset of the free memory in the last chunk
  std::size_t used_ = 0;
  std::size_t limit_;
};

namespace inferbench::base {
using arena = ::ifb_arena;
}
