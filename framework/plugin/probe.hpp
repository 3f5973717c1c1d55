// Describes a library with a child process, since constructors of the library may crash, exit or
// hang. Any thread: the child is a newly started program, not a fork of this process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/library.hpp"

namespace inferbench::plugin {

/// The plugins of `file`, in the order of its descriptor, then the plugins that need a later host;
/// `name` is the id. On failure the result is one element with `trouble`. `file` must have passed
/// pass_gate().
[[nodiscard]] std::vector<described> probe(const std::filesystem::path& file,
                                           const probe_command& command);

/// The text that the child prints and the parent reads.
[[nodiscard]] std::string to_json(const std::vector<described>& plugins);
/// Throws base::error if `text` does not come from to_json().
[[nodiscard]] std::vector<described> from_json(const std::string& text,
                                               const std::filesystem::path& file);

}  // namespace inferbench::plugin
