// Counts what is asked of malloc in this test program, by whomever: operator new, the C
// library, plugins.
#pragma once

#include <cstddef>

namespace inferbench::cost {

/// Allocations of this thread so far, enlargements included.
[[nodiscard]] std::size_t allocations() noexcept;

}  // namespace inferbench::cost
