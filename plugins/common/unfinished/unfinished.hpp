// Files that are still being written, under a name of their own. A lock tells a file that a process
// is writing from one that a process left behind, however it ended.
//
//   unfinished::remove_left(folder, is_one_of_ours);
//   int file = unfinished::create(folder / name);   // write, rename, and close only then
#pragma once

#include <filesystem>
#include <string_view>

namespace unfinished {

/// Creates the file, for reading and writing, and locks it until the descriptor is closed. -1, and
/// errno says why; EEXIST: there is such a file. [any]
[[nodiscard]] int create(const std::filesystem::path& file) noexcept;

/// Removes the files of `folder` that `is_one` knows by their name and that no process is writing.
/// On a file system without locks: those that have not changed for a day. [any]
void remove_left(const std::filesystem::path& folder,
                 bool (*is_one)(std::string_view name)) noexcept;

}  // namespace unfinished
