// Finds the length of a sound in the head of its file.
#pragma once

#include <optional>
#include <string_view>

namespace openai {

/// Returns the length in seconds. Supports WAV, FLAC, MP3, and Ogg with Vorbis, Opus or FLAC.
/// Returns nullopt for other formats and for files that do not contain the length. Any input is
/// safe.
[[nodiscard]] std::optional<double> seconds_of(std::string_view file) noexcept;

}  // namespace openai
