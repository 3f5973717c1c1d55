// Recognises the files that a transcription takes by their first bytes. Does not decode a sound.
#pragma once

#include <optional>
#include <string_view>

namespace inferbench::simulator {

/// The length of a sound in seconds; nullopt if `file` is not a sound in a format that vLLM takes:
/// flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav or webm. The length of a WAV file is in its header.
/// Every other file counts as a sound of 128 kbit/s, because only its decoder knows its length.
[[nodiscard]] std::optional<double> seconds_of_sound(std::string_view file) noexcept;

}  // namespace inferbench::simulator
