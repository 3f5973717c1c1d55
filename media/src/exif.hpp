// The orientation of photographs: where files store it, and how pixels are turned.
#pragma once

#include <string_view>

#include <inferbench-media/media.hpp>

namespace inferbench::media::exif {

// An orientation is the value of the EXIF tag 274: 1 is upright, 2 is mirrored, 3 is upside down, 4
// is mirrored and upside down, 6 needs a quarter turn clockwise, and 8 a quarter turn
// counterclockwise. 5 and 7 need the turns of 6 and 8, and after the turn left and right change
// places. of_jpeg(), of_png() and of_webp() return 1 if the file has no orientation, or has a value
// that is not 1 to 8.

/// Returns the orientation in the first segment APP1 with EXIF data.
[[nodiscard]] int of_jpeg(std::string_view file) noexcept;
/// Returns the orientation in the chunk eXIf, which may follow the pixels.
[[nodiscard]] int of_png(std::string_view file) noexcept;
/// Returns the orientation in the chunk EXIF.
[[nodiscard]] int of_webp(std::string_view file) noexcept;

/// Turns and mirrors the image so that it is upright.
[[nodiscard]] image turned(image from, int orientation);

}  // namespace inferbench::media::exif
