// The data of one request, with the memory to which it points. A sample lives until its request has
// ended, and then returns to the pool of its feed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <inferbench/abi.h>

#include "base/arena.hpp"

namespace inferbench::dataset {

/// Used by one thread at a time. Several threads may read a sample that no thread changes.
struct sample {
  ifb_sample c{};  // views into `arena` or into the dataset's instance
  base::arena arena;
  std::uint64_t sequence = 0;  // position in the run, from 0
  std::uint64_t row = 0;       // the dataset's row that it was read from, from 0

  /// Clears the sample. The arena keeps one chunk, see arena::reset().
  void clear() noexcept;
};

class pool;

/// Returns a sample to its pool, or frees it if it has no pool.
struct recycle {
  pool* home = nullptr;
  void operator()(sample* used) const noexcept;
};
using sample_ptr = std::unique_ptr<sample, recycle>;

/// Keeps empty samples for reuse. The pool must outlive the samples that it gave out. Any thread
/// may use it.
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
