// The boundary between the programs and the shared library: a table of functions. No exception
// crosses it, because a plugin may have a C++ runtime of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <inferbench-media/media.hpp>

namespace inferbench::media {

/// Why a call failed; `what` is empty if it succeeded.
struct trouble {
  std::string what;
  cause kind = cause::data;
};

struct table {
  const char* version;  // of the build; a library of another build is refused

  void (*decode_image)(std::string_view, orientation, image&, trouble&) noexcept;
  void (*encode_jpeg)(const image_view&, std::string&, trouble&) noexcept;
  void (*encode_png)(const image_view&, std::string&, trouble&) noexcept;
  void (*encode_mp4)(const video_view&, std::string&, trouble&) noexcept;
  void (*inspect_sound)(std::string_view, sound_facts&, trouble&) noexcept;
  void (*to_wav)(std::string_view, precision, wav_file&, trouble&) noexcept;
  void (*encode_wav)(std::uint32_t, std::uint32_t, std::span<const double>, wav_file&,
                     trouble&) noexcept;
  void (*inspect)(std::string_view, kind, facts&, trouble&) noexcept;
};

/// The name of the library's only symbol: `const table* inferbench_media_table()`.
inline constexpr const char* entry_name = "inferbench_media_table";
using entry = const table*() noexcept;

}  // namespace inferbench::media
