// Images that end early, and which FFmpeg decodes as far as they go.
#pragma once

#include <string_view>

namespace inferbench::media {

/// Throws failure if a BMP or GIF file lacks a part of its first picture. Other files are not
/// checked.
void check_length(std::string_view file);

}  // namespace inferbench::media
