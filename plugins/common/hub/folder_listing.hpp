// All files below a local folder, in the form of a listing of the hub.
#pragma once

#include <filesystem>
#include <vector>

#include "remote.hpp"

namespace hub {

/// Returns the regular files below `folder` in ascending order of their paths; empty if the folder
/// does not exist. Links to files are followed. Links to folders are followed if they stay inside
/// `folder` and the folder is not yet listed. Files and folders that cannot be read are left out.
[[nodiscard]] std::vector<listed_file> files_below(const std::filesystem::path& folder);

/// Returns whether `path` is `folder` or lies below it. Both must be canonical.
[[nodiscard]] bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace hub
