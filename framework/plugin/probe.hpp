// Describes libraries with a child process, since constructors of a library may crash, exit or
// hang. Any thread: the child is a newly started program, not a fork of this process.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "plugin/library.hpp"

namespace inferbench::plugin {

/// The plugins of each of `files`, in the order of its descriptor, then the plugins that need a
/// later host; `name` is the id. If a file cannot be used, its element is one element with
/// `trouble`. Each file must have passed pass_gate().
///
/// A child describes up to 16 libraries, because it takes longer to start than a library takes to
/// load. If anything goes wrong in this child, each of its libraries is described by a child of its
/// own, so that the trouble is attributed to the library that has it.
[[nodiscard]] std::vector<std::vector<described>> probe(
    std::span<const std::filesystem::path> files, const probe_command& command);

/// The text that the child prints for a library and the parent reads: one line without its end.
[[nodiscard]] std::string to_json(const std::vector<described>& plugins);
/// Throws base::error if `text` does not come from to_json().
[[nodiscard]] std::vector<described> from_json(const std::string& text,
                                               const std::filesystem::path& file);

}  // namespace inferbench::plugin
