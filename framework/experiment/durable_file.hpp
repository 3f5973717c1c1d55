// Files that are complete or not there, also after a kill or a loss of power at any moment.
#pragma once

#include <filesystem>
#include <string_view>

namespace inferbench::experiment {

/// Creates the folder and its parents, and stores their names on the disk. Throws base::error with
/// the path.
void create_folder(const std::filesystem::path& folder);

/// Replaces `file`, whose folder must be there, as one step: writes a temporary file beside it,
/// stores it on the disk, renames it, and stores the name. A device or a pipe, such as /dev/stdout,
/// is not replaced: the text is written to it. Two processes must not write the same
/// file at the same time. Throws base::error with the path; the old file is then unchanged.
void write_durably(const std::filesystem::path& file, std::string_view text);

}  // namespace inferbench::experiment
