// What operator new does on this thread of the test program. Sanitizers bring their
// own; with them nothing is counted.
#pragma once

#include <cstddef>

namespace inferbench::client::testing {

struct heap {
  std::size_t allocations = 0;  // so far
  // Bytes, as the allocator rounds them; below 0 where this thread gave back what others took.
  std::ptrdiff_t live = 0;
  std::ptrdiff_t peak = 0;  // most of `live` since reset_peak()
};

[[nodiscard]] bool heap_is_counted() noexcept;
[[nodiscard]] heap heap_now() noexcept;
void reset_peak() noexcept;

}  // namespace inferbench::client::testing
