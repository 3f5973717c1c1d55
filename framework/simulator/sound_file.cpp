#include "simulator/sound_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace inferbench::simulator {

namespace {

constexpr double bytes_a_second = 16000;  // 128 kbit/s

std::uint32_t little_endian(std::string_view file, std::size_t at) noexcept {
  std::uint32_t out = 0;
  for (std::size_t i = 4; i-- > 0;)
    out = out << 8U | static_cast<unsigned char>(file[at + i]);
  return out;
}

std::optional<double> seconds_of_wav(std::string_view file) noexcept {
  constexpr std::size_t chunk_head = 8;
  std::uint32_t rate = 0;  // bytes a second
  for (std::size_t at = 12; at + chunk_head <= file.size();) {
    const std::string_view name = file.substr(at, 4);
    const std::uint64_t size = little_endian(file, at + 4);
    at += chunk_head;
    if (name == "fmt " && size >= 16 && at + 12 <= file.size()) rate = little_endian(file, at + 8);
    if (name == "data") {
      if (rate == 0) return std::nullopt;
      // The size of a WAV file that was written as a stream is too large.
      return static_cast<double>(std::min<std::uint64_t>(size, file.size() - at)) / rate;
    }
    if (size > file.size() - at) return std::nullopt;
    at += static_cast<std::size_t>(size + size % 2);
  }
  return std::nullopt;
}

bool is_mpeg(std::string_view file) noexcept {
  if (file.starts_with("ID3")) return true;
  // A frame begins with 11 bits that are 1, followed by a layer that is not 0.
  return file.size() >= 4 && static_cast<unsigned char>(file[0]) == 0xFFU &&
         (static_cast<unsigned char>(file[1]) & 0xE0U) == 0xE0U &&
         (static_cast<unsigned char>(file[1]) & 0x06U) != 0;
}

}  // namespace

std::optional<double> seconds_of_sound(std::string_view file) noexcept {
  if (file.starts_with("RIFF") && file.size() >= 12 && file.substr(8, 4) == "WAVE")
    return seconds_of_wav(file);
  const bool known = file.starts_with("fLaC") || file.starts_with("OggS") || is_mpeg(file) ||
                     (file.size() >= 12 && file.substr(4, 4) == "ftyp") ||
                     file.starts_with("\x1A\x45\xDF\xA3");
  if (!known) return std::nullopt;
  return static_cast<double>(file.size()) / bytes_a_second;
}

}  // namespace inferbench::simulator
