// Counts the allocations of operator new in this test program. Sanitizers have their own operator
// new; nothing is counted with them.
#pragma once

#include <cstddef>

namespace inferbench::transport::test {

/// Allocations of this thread so far.
[[nodiscard]] std::size_t allocations() noexcept;

}  // namespace inferbench::transport::test
