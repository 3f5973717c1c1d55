// The data of one request, with the memory that it points into. It lives until its request is over,
// then goes back to the pool of its feed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <inferbench/abi.h>

#include "base/arena.hpp"

namespace inferbench::dataset {

/// Belongs to one thread at a time; a read-only sample may be shared.
struct sample {
  ifb_sample c{};  // views into `arena` or into the dataset's instance
  base::arena arena;
  std::uint64_t sequence = 0;  // 0-based place in the run

  /// Clears the sample; the arena keeps its first chunk.
  void clear() noexcept;
};

class pool;

/// Returns a sample to its pool, or frees it if it has no pool.
struct recycle {
  pool* home = nullptr;
  void operator()(sample* used) const noexcept;
};
using sample_ptr = std::unique_ptr<sample, recycle>;

/// Empty samples for reuse; the pool must outlive the samples that it gave out. Any thread.
class pool {
 public:
  /// Returns a cleared sample.
  [[nodiscard]] sample_ptr take();

 private:
  friend struct recycle;
  std::mutex mutex_;
  std::vector<std::unique_ptr<sample>> free_;
};

}  // namespace inferbench::dataset
