// Limits of the system on this process.
#pragma once

#include <cstddef>

namespace inferbench::base {

/// Raises this process's limit of open descriptors as far as the system allows. Returns the new
/// limit, or 0 if the limit cannot be read. A privileged process gets at least 2^20 descriptors,
/// even if its hard limit was lower.
std::size_t raise_descriptor_limit() noexcept;

/// Unshares the descriptor table of the calling thread: the thread gets a copy of the table that it
/// shares with the other threads. The limit of raise_descriptor_limit() applies to each table. From
/// here on only this thread knows the descriptors that it opens, and only this thread may close
/// them: in another thread the same number may be another descriptor or may be unused. Descriptors
/// of other threads that are in the copy stay open until this thread ends, even if those threads
/// close theirs. Needs no privilege. Returns false and sets errno if the system refuses.
[[nodiscard]] bool own_descriptor_table() noexcept;

/// Whether an errno means that this machine has run out of ports, descriptors or memory. The server
/// is not at fault in this case.
[[nodiscard]] bool is_shortage(int error) noexcept;

}  // namespace inferbench::base
