// The structure of files, without their codecs: whether a file is whole, and what it is called.
#pragma once

#include <string_view>

namespace inferbench::media::framing {

/// Whether the file ends before the last of the parts that its structure announces. Knows JPEG,
/// PNG, GIF, RIFF (WAV, WebP, AVI), ISO media (MP4, M4A, MOV, AVIF), Matroska (WebM) and Ogg;
/// returns false for other formats.
[[nodiscard]] bool ends_early(std::string_view file) noexcept;

/// Whether the file is a WAV or AVI file that was written without knowledge of its length, for
/// instance to a pipe.
[[nodiscard]] bool is_streamed(std::string_view file) noexcept;

/// Whether an ISO media file announces more samples than it has bytes. FFmpeg would allocate memory
/// for all of them.
[[nodiscard]] bool announces_too_much(std::string_view file) noexcept;

/// The brand of an ISO media file, such as "isom" or "avif"; the type of a Matroska file, "webm" or
/// "matroska"; otherwise empty.
[[nodiscard]] std::string_view brand(std::string_view file) noexcept;

}  // namespace inferbench::media::framing
