// The codecs inside the shared library, a file for each library that they use. Each function
// behaves like the function of media.hpp with its name, and throws failure. If its library was
// missing when inferbench was built, it throws failure with cause::missing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <inferbench-media/media.hpp>

namespace inferbench::media {

namespace jpeg {
[[nodiscard]] bool recognises(std::string_view file) noexcept;
[[nodiscard]] image decode(std::string_view file, orientation turn);
[[nodiscard]] std::string encode(const image_view& pixels);
}  // namespace jpeg

namespace png {
[[nodiscard]] bool recognises(std::string_view file) noexcept;
[[nodiscard]] image decode(std::string_view file, orientation turn);
[[nodiscard]] std::string encode(const image_view& pixels);
}  // namespace png

namespace sndfile {
/// Whether libsndfile can open the file.
[[nodiscard]] bool recognises(std::string_view file) noexcept;
[[nodiscard]] sound_facts inspect(std::string_view file);
[[nodiscard]] wav_file to_wav(std::string_view file, precision between);
[[nodiscard]] wav_file encode_wav(std::uint32_t rate, std::uint32_t channels,
                                  std::span<const double> samples);
}  // namespace sndfile

namespace av {
[[nodiscard]] image decode_image(std::string_view file, orientation turn);
[[nodiscard]] std::string encode_mp4(const video_view& frames);
[[nodiscard]] sound_facts inspect_sound(std::string_view file);
/// Decodes to interleaved samples between -1 and 1, and encodes them with sndfile::encode_wav().
[[nodiscard]] wav_file to_wav(std::string_view file);
[[nodiscard]] facts inspect(std::string_view file, kind expected);
}  // namespace av

}  // namespace inferbench::media
