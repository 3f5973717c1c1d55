// Blocks of memory of 256 KiB and more: the memory of images, videos and sound, and of the request
// bodies that contain them. One thread makes such a block and another thread frees it. The heap is
// not suited for this: it keeps a freed block for the threads that share a part of the heap with
// the thread that made it, so the memory of the process grows far beyond the blocks in use. A block
// that the system gives and takes back costs a page fault for each 4 KiB. Therefore a small stock
// of freed blocks is kept here, and the system gets the other blocks back.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace inferbench::base {

/// The least size of a large block, in bytes.
inline constexpr std::size_t large_block_bytes = std::size_t{256} << 10U;

struct large_block {
  std::byte* data = nullptr;  // aligned to a page
  std::size_t size = 0;       // bytes
  bool zeroed = false;        // all bytes are zero
};

/// Any thread may use it.
class large_blocks {
 public:
  /// Keeps freed blocks of about `stock` bytes in sum, and never more than twice as much.
  explicit large_blocks(std::size_t stock);
  large_blocks(const large_blocks&) = delete;
  large_blocks& operator=(const large_blocks&) = delete;
  /// Gives the kept blocks back to the system. All other blocks must have been given back.
  ~large_blocks();

  /// A block of at least `bytes` bytes, and of at most a quarter more than that, rounded up to a
  /// page. `data` is null if the machine is out of memory. Gives the system the blocks beyond the
  /// stock.
  [[nodiscard]] large_block take(std::size_t bytes) noexcept;

  /// Frees a block. Usually keeps it without a system call, because a worker's thread, which takes
  /// stamps, frees the blocks of its requests.
  void give_back(const large_block& block) noexcept;

  /// The bytes of the kept blocks.
  [[nodiscard]] std::size_t kept() const noexcept;

  /// The blocks of all arenas of this process. The stock is 64 MiB. Never destroyed.
  [[nodiscard]] static large_blocks& of_process() noexcept;

 private:
  void shrink_to(std::size_t most) noexcept;
  [[nodiscard]] large_block remove(std::size_t index) noexcept;

  std::size_t stock_;
  mutable std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::vector<large_block> kept_;  // the block that has been here for the longest time comes first
};

}  // namespace inferbench::base
