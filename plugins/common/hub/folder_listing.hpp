// All files below a local folder, in the form of a listing of the hub.
#pragma once

#include <filesystem>
#include <vector>

#include "remote.hpp"

namespace hub {

/// Returns the regular files below `folder` in ascending order of their paths; empty if the folder
/// does not exist. Links to files and folders are followed, except for a link to a folder that is
/// already listed. Files and folders that cannot be read are left out.
[[nodiscard]] std::vector<listed_file> files_below(const std::filesystem::path& folder);

}  // namespace hub
