// What the system lets this process have.
#pragma once

#include <cstddef>

namespace inferbench::base {

/// Lets this process open as many descriptors as it may; answers how many that is. A
/// privileged process gets a million, whatever its limit was.
std::size_t raise_descriptor_limit() noexcept;

/// An errno that says that this machine has run out of ports, descriptors or memory:
/// no fault of the other side.
[[nodiscard]] bool is_shortage(int error) noexcept;

}  // namespace inferbench::base
