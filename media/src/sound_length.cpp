#include "sound_length.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <inferbench-media/media.hpp>

#include "numbers.hpp"

namespace inferbench::media {
namespace {

// Programs that write to a pipe announce 0 or about the largest size that they know.
constexpr std::uint64_t least_unknown = 0x7FFF'0000;

bool wav_ends_early(std::string_view file) {
  const numbers from(file, byte_order::little);
  for (std::size_t at = 12; at + 8 <= file.size();) {
    const std::uint64_t size = from.read(at + 4, 4);
    const std::uint64_t left = file.size() - at - 8;
    if (part(file, at, 4) == "data") return size < least_unknown && size > left;
    if (size + size % 2 > left) return true;
    at += 8 + static_cast<std::size_t>(size + size % 2);
  }
  return true;
}

// ISO 11172-3 and 13818-3, the head of a frame of layer III.
struct mp3_frame {
  std::uint32_t fixed;  // the bits that are equal in all frames of a file
  std::size_t bytes;
  std::size_t side_bytes;  // between the head and the samples
};

std::optional<mp3_frame> mp3_frame_at(const numbers& from, std::size_t at) {
  constexpr std::array<int, 15> rates_1{0,   32,  40,  48,  56,  64,  80, 96,
                                        112, 128, 160, 192, 224, 256, 320};
  constexpr std::array<int, 15> rates_2{0,  8,  16, 24,  32,  40,  48, 56,
                                        64, 80, 96, 112, 128, 144, 160};
  constexpr std::array<int, 3> hertz{44'100, 48'000, 32'000};
  const auto head = static_cast<std::uint32_t>(from.read(at, 4));
  const std::uint32_t version = head >> 19U & 3U;  // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const std::uint32_t bit_rate = head >> 12U & 15U;
  const std::uint32_t rate = head >> 10U & 3U;
  const bool layer_3 = (head >> 17U & 3U) == 1;
  // A frame of bit rate 0 has a length that the head does not tell.
  if (head >> 21U != 0x7FF || version == 1 || !layer_3 || bit_rate == 0 || bit_rate == 15 ||
      rate == 3)
    return std::nullopt;
  const bool first = version == 3;
  const int samples = (first ? hertz[rate] : hertz[rate] / 2) / (version == 0 ? 2 : 1);
  const int bits = 1000 * (first ? rates_1[bit_rate] : rates_2[bit_rate]);
  const bool mono = (head >> 6U & 3U) == 3;
  const std::size_t side = first ? (mono ? 17 : 32) : (mono ? 9 : 17);
  return mp3_frame{
      head & 0xFFFE'0C00U,
      static_cast<std::size_t>((first ? 144 : 72) * bits / samples) + (head >> 9U & 1U), side};
}

// The number of frames in a head of Xing or LAME, which is in the first frame; 0: there is none.
std::uint64_t announced_frames(std::string_view file, std::size_t at, const mp3_frame& first) {
  const std::size_t head = at + 4 + first.side_bytes;
  const std::string_view name = part(file, head, 4);
  const numbers from(file, byte_order::big);
  const bool counted = (from.read(head + 4, 4) & 1U) != 0;
  return (name == "Xing" || name == "Info") && counted ? from.read(head + 8, 4) : 0;
}

// The bytes of the tags ID3v2 before the sound.
std::size_t tag_bytes(std::string_view file) {
  const numbers from(file, byte_order::big);
  std::size_t at = 0;
  while (part(file, at, 3) == "ID3") {
    std::size_t size = 0;
    for (std::size_t i = 6; i < 10; ++i)
      size = size << 7U | (from.read(at + i, 1) & 0x7FU);
    const bool foot = (from.read(at + 5, 1) & 0x10U) != 0;
    at += 10 + size + (foot ? 10 : 0);
  }
  return at;
}

bool mp3_ends_early(std::string_view file) {
  const numbers from(file, byte_order::big);
  std::size_t at = tag_bytes(file);
  if (at > file.size()) return true;
  const std::optional<mp3_frame> first = mp3_frame_at(from, at);
  if (!first) return false;  // no MP3 file, or a file that begins with other bytes
  const std::uint64_t announced = announced_frames(file, at, *first);
  std::uint64_t frames = 0;  // with the frame of the head
  while (at < file.size()) {
    const std::optional<mp3_frame> next = mp3_frame_at(from, at);
    // Tags may follow the sound, and other bytes may interrupt it; they do not end a cut file.
    if (file.size() - at >= 4 && (!next || next->fixed != first->fixed)) return false;
    // A part of a frame may also be what an editor left behind the announced frames.
    if (!next || next->bytes > file.size() - at) return announced == 0 || frames <= announced;
    at += next->bytes;
    ++frames;
  }
  return frames < announced;  // a head that counts its own frame, too, is tolerated
}

}  // namespace

void check_sound_length(std::string_view file) {
  const char* name = nullptr;
  if (file.starts_with("RIFF") && part(file, 8, 4) == "WAVE") {
    if (wav_ends_early(file)) name = "WAV";
  } else if (mp3_ends_early(file)) {
    name = "MP3";
  }
  if (name != nullptr) throw failure(cause::data, std::string("the ") + name + " file ends early");
}

}  // namespace inferbench::media
