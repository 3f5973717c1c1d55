// Files that are still being written, under a temporary name. A lock distinguishes a file that a
// process is writing from a file that a process abandoned, even after a crash.
//
//   unfinished::remove_left(folder, is_one_of_ours);
//   int file = unfinished::create(folder / name);   // write, rename, and close only then
#pragma once

#include <filesystem>
#include <string_view>

namespace unfinished {

/// Creates the file, for reading and writing, and locks it until the descriptor is closed. Returns
/// the descriptor, or -1 with the reason in errno; EEXIST: the file already exists. [any thread]
[[nodiscard]] int create(const std::filesystem::path& file) noexcept;

/// Removes the files of `folder` whose names `is_one` accepts and that no process is writing. On a
/// file system without locks, removes only files that have not changed for a day. [any thread]
void remove_left(const std::filesystem::path& folder,
                 bool (*is_one)(std::string_view name)) noexcept;

}  // namespace unfinished
