// The description of a library by a child process, since constructors of the library may crash,
// exit or hang. Any thread: the child is a fresh program, not a fork of this one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/library.hpp"

namespace inferbench::plugin {

/// The plugins of `file` as its descriptor has them, `name` being the id; or one element with
/// `trouble`. `file` has passed the gate.
[[nodiscard]] std::vector<described> probe(const std::filesystem::path& file,
                                           const probe_command& command);

/// The text that the child prints and the parent reads back.
[[nodiscard]] std::string to_json(const std::vector<described>& plugins);
/// Throws base::error when `text` does not come from to_json.
[[nodiscard]] std::vector<described> from_json(const std::string& text,
                                               const std::filesystem::path& file);

}  // namespace inferbench::plugin
