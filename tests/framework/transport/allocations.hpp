// Counts what operator new does in this test program. Sanitizers bring their own
// operator new; with them nothing is counted.
#pragma once

#include <cstddef>

namespace inferbench::transport::test {

/// Allocations of this thread so far.
[[nodiscard]] std::size_t allocations() noexcept;

}  // namespace inferbench::transport::test
