// Describes libraries with a child process, since constructors of a library may crash, exit or
// hang. Any thread: the child is a newly started program, not a fork of this process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "plugin/library.hpp"

namespace inferbench::plugin {

/// The number of libraries that list() passes to probe(). A child takes longer to start than a
/// library takes to load.
inline constexpr std::size_t probe_batch = 16;

/// The plugins of each of `files`, in the order of its descriptor, then the plugins that need a
/// later host; `name` is the id. If a file cannot be used, its result is a list of one element with
/// `trouble`. Each file must have passed pass_gate().
///
/// One child describes all files. If it has trouble, each file is described by a child of its own,
/// and so is a file that the child could not load: trouble belongs to the library that has it
/// alone.
[[nodiscard]] std::vector<std::vector<described>> probe(
    std::span<const std::filesystem::path> files, const probe_command& command);

/// The text that the child prints for a library and the parent reads: one line without its end.
[[nodiscard]] std::string to_json(const std::vector<described>& plugins);
/// Throws base::error if `text` does not come from to_json().
[[nodiscard]] std::vector<described> from_json(const std::string& text,
                                               const std::filesystem::path& file);

}  // namespace inferbench::plugin
