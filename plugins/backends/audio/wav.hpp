// Raw samples and the file that holds them: RIFF WAVE, PCM of 16 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <inferbench/host.hpp>

namespace openai {

struct raw_format {
  std::uint32_t rate = 0;  // frames a second
  std::uint16_t channels = 1;
  bool is_float = false;  // 32 bits between -1 and 1; else 16 bits

  [[nodiscard]] std::size_t frame_bytes() const noexcept {
    return std::size_t{channels} * (is_float ? 4 : 2);
  }
};

/// The format of "audio/pcm;rate=16000;..."; nullopt for another type. Throws ifb::failure,
/// IFB_E_DATA, if a parameter is not valid or there is no rate.
[[nodiscard]] std::optional<raw_format> raw_format_of(std::string_view mime);

/// `samples` are little-endian and interleaved; an incomplete frame at their end is left
/// out. Floats become integers as libsndfile makes them, clipped. Throws ifb::failure,
/// IFB_E_DATA, for more than a WAV file can hold.
[[nodiscard]] std::string_view wav_file(const raw_format& format, std::string_view samples,
                                        ifb::arena memory);

}  // namespace openai
