#include "duration.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace openai {
namespace {

using seconds = std::optional<double>;

unsigned byte(std::string_view file, std::size_t at) noexcept {
  return at < file.size() ? static_cast<unsigned char>(file[at]) : 0;
}
std::uint64_t little(std::string_view file, std::size_t at, std::size_t bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;)
    value = value << 8U | byte(file, at + i);
  return value;
}
std::uint64_t big(std::string_view file, std::size_t at, std::size_t bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value = value << 8U | byte(file, at + i);
  return value;
}
seconds quotient(std::uint64_t count, std::uint64_t rate) noexcept {
  if (count == 0 || rate == 0) return std::nullopt;
  return static_cast<double>(count) / static_cast<double>(rate);
}

seconds of_wav(std::string_view file) noexcept {
  std::uint64_t bytes_a_second = 0;
  for (std::size_t at = 12; at + 8 <= file.size();) {
    const auto name = file.substr(at, 4);
    const std::uint64_t size = little(file, at + 4, 4);
    if (name == "fmt ") {
      bytes_a_second = little(file, at + 12, 4) * little(file, at + 20, 2);
    } else if (name == "data") {
      // The program that wrote the file as a stream did not know the final size: the stated size
      // can be too large.
      return quotient(std::min<std::uint64_t>(size, file.size() - at - 8), bytes_a_second);
    }
    at += 8 + static_cast<std::size_t>(size + (size & 1U));
  }
  return std::nullopt;
}

/// `at`: the offset of the content of the first metadata block.
seconds of_flac(std::string_view file, std::size_t at) noexcept {
  const std::uint64_t bits = big(file, at + 10, 8);
  return quotient(bits & 0xFFFFFFFFFU, bits >> 44U);
}

seconds of_ogg(std::string_view file) noexcept {
  const std::size_t first = 27 + byte(file, 26);
  const auto packet = file.substr(std::min(first, file.size()));
  std::uint64_t rate = 0;
  std::uint64_t before = 0;  // number of samples at the beginning that are not played
  if (packet.starts_with("\x01vorbis")) {
    rate = little(packet, 12, 4);
  } else if (packet.starts_with("OpusHead")) {
    rate = 48'000;
    before = little(packet, 10, 2);
  } else if (packet.starts_with("\x7F"
                                "FLAC")) {
    rate = big(packet, 17 + 10, 3) >> 4U;
  }
  constexpr std::uint64_t unknown = ~std::uint64_t{0};
  for (auto page = file.rfind("OggS"); page != file.npos && page != 0;
       page = file.rfind("OggS", page - 1)) {
    const std::uint64_t end = little(file, page + 6, 8);
    if (end == unknown) continue;
    return end > before ? quotient(end - before, rate) : std::nullopt;
  }
  return std::nullopt;
}

seconds of_mp3(std::string_view file) noexcept {
  std::size_t at = 0;
  if (file.starts_with("ID3")) {
    for (std::size_t i = 6; i < 10; ++i)
      at = at << 7U | (byte(file, i) & 0x7FU);
    at += 10;
  }
  const auto head = static_cast<std::uint32_t>(big(file, at, 4));
  const bool first_version = (head >> 19U & 3U) == 3;
  const unsigned version = head >> 19U & 3U;
  const unsigned bitrate_index = head >> 12U & 15U;
  const unsigned rate_index = head >> 10U & 3U;
  // Only Layer III is supported.
  if (head >> 21U != 0x7FF || version == 1 || (head >> 17U & 3U) != 1 || rate_index == 3 ||
      bitrate_index == 0 || bitrate_index == 15)
    return std::nullopt;
  constexpr std::array<std::uint32_t, 3> rates = {44'100, 48'000, 32'000};
  constexpr std::array<std::uint16_t, 15> first_bitrates = {0,   32,  40,  48,  56,  64,  80, 96,
                                                            112, 128, 160, 192, 224, 256, 320};
  constexpr std::array<std::uint16_t, 15> later_bitrates = {0,  8,  16, 24,  32,  40,  48, 56,
                                                            64, 80, 96, 112, 128, 144, 160};
  const std::uint32_t rate = rates[rate_index] >> (first_version ? 0U : version == 2 ? 1U : 2U);
  const std::uint64_t samples = first_version ? 1152 : 576;  // samples in each frame
  const bool mono = (head >> 6U & 3U) == 3;
  const std::size_t side = first_version ? (mono ? 17 : 32) : (mono ? 9 : 17);
  const std::size_t tag = at + 4 + side;
  const auto name = file.substr(std::min(tag, file.size()), 4);
  if ((name == "Xing" || name == "Info") && (byte(file, tag + 7) & 1U) != 0)
    return quotient(big(file, tag + 8, 4) * samples, rate);
  const std::uint64_t bitrate =
      1000U *
      std::uint64_t{first_version ? first_bitrates[bitrate_index] : later_bitrates[bitrate_index]};
  return quotient((file.size() - std::min(at, file.size())) * 8, bitrate);
}

}  // namespace

seconds seconds_of(std::string_view file) noexcept {
  if (file.starts_with("RIFF") && file.substr(8 < file.size() ? 8 : file.size(), 4) == "WAVE")
    return of_wav(file);
  if (file.starts_with("fLaC")) return of_flac(file, 8);
  if (file.starts_with("OggS")) return of_ogg(file);
  return of_mp3(file);
}

}  // namespace openai
