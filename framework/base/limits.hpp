// What the system lets this process have.
#pragma once

#include <cstddef>

namespace inferbench::base {

/// Lets this process open as many descriptors as it may; answers how many that is. A
/// privileged process gets a million, whatever its limit was.
std::size_t raise_descriptor_limit() noexcept;

/// Gives the calling thread a table of descriptors of its own, a copy of the one that it
/// shares with the other threads: the limit above counts for each table. From here on only
/// this thread knows what it opens, and only this thread may close it: elsewhere the same
/// number means something else, or nothing. What the table holds of others stays open until
/// this thread ends, even if they close theirs. Needs no privilege. False, with errno set,
/// when the system refuses.
[[nodiscard]] bool own_descriptor_table() noexcept;

/// An errno that says that this machine has run out of ports, descriptors or memory:
/// no fault of the other side.
[[nodiscard]] bool is_shortage(int error) noexcept;

}  // namespace inferbench::base
