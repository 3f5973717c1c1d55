// Writes whole files.
#pragma once

#include <string>
#include <string_view>

namespace figures {

/// Replaces the file through a temporary file beside it, which is synchronised with the disk before
/// it gets its name. Throws std::runtime_error with the file and the reason; the old file, if there
/// was one, is then as it was.
void replace_file(const std::string& file, std::string_view content);

}  // namespace figures
