// The pixels of FFmpeg's frames as RGB.
#pragma once

#include "av_input.hpp"

#if MEDIA_HAS_AV

namespace inferbench::media::av {

/// A property of the pixels that FFmpeg does not know.
enum class pixel_kind : std::uint8_t {
  usual,
  opaque,  // the fourth channel is not an opacity
  webp     // a picture of a WebP file, which libwebp would convert differently if it is lossy
};

/// Converts formats with chroma with libswscale, or as libwebp does, and all other formats exactly.
/// Transparent pixels are put before white. Throws failure if the format is unknown, or the frame
/// has no pixel or more than most_pixels.
[[nodiscard]] image pixels_of(const AVFrame& frame, pixel_kind kind);

}  // namespace inferbench::media::av

#endif  // MEDIA_HAS_AV
