// Limits of the system on this process.
#pragma once

#include <cstddef>

namespace inferbench::base {

/// Lets this process open as many descriptors as it may; answers how many that is. A
/// privileged process gets a million, whatever its limit was.
std::size_t raise_descriptor_limit() noexcept;

/// Unshares the descriptor table of the calling thread: the thread gets a copy of the table
/// that it shares with the other threads. The limit above counts for each table. From here on
/// only this thread knows the descriptors that it opens, and only this thread may close them:
/// in another thread the same number is another descriptor, or none. Descriptors of other
/// threads that are in the copy stay open until this thread ends, even if those threads close
/// theirs. Needs no privilege. False, with errno set, when the system refuses.
[[nodiscard]] bool own_descriptor_table() noexcept;

/// Whether an errno says that this machine has run out of ports, descriptors or memory: the
/// other side is not at fault.
[[nodiscard]] bool is_shortage(int error) noexcept;

}  // namespace inferbench::base
