// Limits for sound, which protect against small files that contain hours of silence.
#pragma once

#include <cstdint>

namespace inferbench::media {

/// The samples of all channels that are decoded to measure a sound: 24 hours of mono at 48 kHz.
inline constexpr std::uint64_t most_samples = std::uint64_t{24} * 3600 * 48'000;

/// The size of the WAV file that is made of a sound.
inline constexpr std::uint64_t most_wav_bytes = std::uint64_t{512} << 20U;

}  // namespace inferbench::media
