// Counts the allocations of operator new on this thread of the test program. Sanitizers have their
// own operator new; nothing is counted with them.
#pragma once

#include <cstddef>

namespace inferbench::client::testing {

struct heap {
  std::size_t allocations = 0;  // number of allocations so far
  // Bytes, as rounded by the allocator; negative if this thread freed memory of other threads.
  std::ptrdiff_t live = 0;
  std::ptrdiff_t peak = 0;  // largest value of `live` since reset_peak()
};

[[nodiscard]] bool heap_is_counted() noexcept;
[[nodiscard]] heap heap_now() noexcept;
void reset_peak() noexcept;

}  // namespace inferbench::client::testing
