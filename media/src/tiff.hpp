// The directory of a TIFF file: tags that FFmpeg ignores or takes for damage.
#pragma once

#include <string>
#include <string_view>

namespace inferbench::media::tiff {

[[nodiscard]] bool recognises(std::string_view file) noexcept;

/// Returns the orientation of the first directory, from 1 to 8 as in exif.hpp. EXIF data are a TIFF
/// file. Returns 1 if `file` is none or has no orientation.
[[nodiscard]] int orientation_of(std::string_view file) noexcept;

/// Whether the fourth channel of RGB is not an opacity.
[[nodiscard]] bool has_unused_channel(std::string_view file) noexcept;

/// Returns the file with a first directory that has only the tags that describe the pixels: FFmpeg
/// takes others for damage. Throws failure if the samples are not unsigned integers: FFmpeg would
/// read them wrongly.
[[nodiscard]] std::string for_ffmpeg(std::string_view file);

}  // namespace inferbench::media::tiff
