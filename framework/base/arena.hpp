// Memory that is freed as a whole: an arena of the contract (abi.h). A plugin sees it as an
// opaque handle and allocates through ifb_host::alloc.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

/// Belongs to one thread at a time. Global, because the C contract names it.
struct ifb_arena {
 public:
  /// `limit`: bytes after which alloc answers nullptr.
  explicit ifb_arena(std::size_t limit = SIZE_MAX) : limit_(limit) {}
  ifb_arena(const ifb_arena&) = delete;
  ifb_arena& operator=(const ifb_arena&) = delete;

  /// Zeroed and 16-byte aligned; valid until reset() or destruction. nullptr
  /// when the limit is reached or the machine has no more.
  [[nodiscard]] void* alloc(std::size_t bytes) noexcept;

  /// A copy of `text` in the arena; empty when there is no room.
  [[nodiscard]] std::string_view copy(std::string_view text) noexcept;

  /// Forgets everything; keeps one chunk, the largest of ordinary size, so that reuse
  /// for the same purpose allocates nothing.
  void reset() noexcept;

  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  struct chunk {
    std::unique_ptr<std::byte[]> data;
    std::size_t size;
  };
  std::vector<chunk> chunks_;
  std::size_t offset_ = 0;  // into the last chunk
  std::size_t used_ = 0;
  std::size_t limit_;
};

namespace inferbench::base {
using arena = ::ifb_arena;
}
