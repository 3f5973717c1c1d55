// Counts the allocations of this test program through malloc(), also the allocations of operator
// new, of the C library and of plugins.
#pragma once

#include <cstddef>

namespace inferbench::cost {

/// Number of allocations of this thread so far; a call of realloc() counts as one.
[[nodiscard]] std::size_t allocations() noexcept;

}  // namespace inferbench::cost
