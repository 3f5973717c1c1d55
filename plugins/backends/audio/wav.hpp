// Raw samples, and the RIFF WAVE file that is made of them: PCM with 16 bits per sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <inferbench/host.hpp>

namespace openai {

struct raw_format {
  std::uint32_t rate = 0;  // frames per second
  std::uint16_t channels = 1;
  bool is_float = false;  // true: floats of 32 bits between -1 and 1; false: integers of 16 bits

  [[nodiscard]] std::size_t frame_bytes() const noexcept {
    return std::size_t{channels} * (is_float ? 4 : 2);
  }
};

/// Parses a media type such as "audio/pcm;rate=16000;...". Returns nullopt for a type other than
/// "audio/pcm". Throws ifb::failure, IFB_E_DATA, if a parameter is not valid or the rate is
/// missing.
[[nodiscard]] std::optional<raw_format> raw_format_of(std::string_view mime);

/// `samples` are little-endian and interleaved. An incomplete frame at their end is left out.
/// Floats are clipped and become integers in the same way as in libsndfile. Throws ifb::failure,
/// IFB_E_DATA, if the samples do not fit into a WAV file.
[[nodiscard]] std::string_view wav_file(const raw_format& format, std::string_view samples,
                                        ifb::arena memory);

}  // namespace openai
