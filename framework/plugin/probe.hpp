// Looking into a library from a child process, since its constructors may crash,
// exit or hang. Any thread: the child is a fresh program, not a fork of this one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/library.hpp"

namespace inferbench::plugin {

/// The plugins of `file` as its descriptor has them, `name` being the id; or one
/// element with `trouble`. `file` has passed the gate.
[[nodiscard]] std::vector<described> probe(const std::filesystem::path& file,
                                           const probe_command& command);

/// What the child prints and the parent reads back.
[[nodiscard]] std::string to_json(const std::vector<described>& plugins);
/// Throws base::error when `text` is not what to_json writes.
[[nodiscard]] std::vector<described> from_json(const std::string& text,
                                               const std::filesystem::path& file);

}  // namespace inferbench::plugin
