// How long a sound lasts, from the head of its file.
#pragma once

#include <optional>
#include <string_view>

namespace openai {

/// Seconds. Knows WAV, FLAC, Ogg with Vorbis, Opus or FLAC, and MP3; nullopt for other
/// formats and for files without the length. Any input is safe.
[[nodiscard]] std::optional<double> seconds_of(std::string_view file) noexcept;

}  // namespace openai
