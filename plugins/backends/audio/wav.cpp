#include "wav.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace openai {
namespace {

constexpr std::size_t head_bytes = 44;

char* put(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}
char* put(char* out, std::uint32_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    *out++ = static_cast<char>(value >> 8U * i & 0xFFU);
  return out;
}

std::uint16_t to_16_bits(float sample) {
  const double scaled = static_cast<double>(sample) * 2147483648.0;
  if (std::isnan(scaled)) return 0;
  if (scaled >= 2147483647.0) return 0x7FFF;
  if (scaled <= -2147483648.0) return 0x8000;
  return static_cast<std::uint16_t>(
      static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lrint(scaled))) >> 16U);
}

float float_at(const char* at) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i)
    bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])) << 8U * i;
  return std::bit_cast<float>(bits);
}

[[noreturn]] void senseless(std::string_view mime, const std::string& why) {
  throw ifb::failure{IFB_E_DATA, "raw sound of type \"" + std::string(mime) + "\": " + why};
}

std::uint32_t number(std::string_view mime, std::string_view text, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || value == 0 || value > most)
    senseless(mime,
              "expected a number from 1 to " + std::to_string(most) + ", not " + std::string(text));
  return value;
}

}  // namespace

std::optional<raw_format> raw_format_of(std::string_view mime) {
  if (ifb::trim(mime.substr(0, mime.find(';'))) != "audio/pcm") return std::nullopt;
  raw_format format;
  for (auto at = mime.find(';'); at != mime.npos; at = mime.find(';', at + 1)) {
    const auto parameter = ifb::trim(mime.substr(at + 1, mime.find(';', at + 1) - at - 1));
    const auto sign = parameter.find('=');
    const auto value = sign == parameter.npos ? std::string_view{} : parameter.substr(sign + 1);
    const auto name = parameter.substr(0, sign);
    if (name == "rate")
      format.rate = number(mime, value, 0x7FFFFFFF);
    else if (name == "channels")
      format.channels = static_cast<std::uint16_t>(number(mime, value, 255));
    else if (name == "format" && (value == "s16" || value == "f32"))
      format.is_float = value == "f32";
    else
      senseless(mime,
                "it knows rate, channels and format (s16 or f32), not " + std::string(parameter));
  }
  if (format.rate == 0) senseless(mime, "it needs a rate, as in ;rate=16000");
  return format;
}

std::string_view wav_file(const raw_format& format, std::string_view samples, ifb::arena memory) {
  const std::size_t frames = samples.size() / format.frame_bytes();
  const std::size_t count = frames * format.channels;
  const std::size_t bytes = count * 2;
  if (bytes > UINT32_MAX - head_bytes)
    throw ifb::failure{IFB_E_DATA, "raw sound of " + std::to_string(bytes) +
                                       " bytes: a WAV file holds less than 4 GiB"};
  auto* const file = static_cast<char*>(memory.allocate(head_bytes + bytes));
  const std::uint32_t frame = format.channels * 2U;
  char* out = put(file, "RIFF");
  out = put(out, static_cast<std::uint32_t>(head_bytes - 8 + bytes), 4);
  out = put(out, "WAVEfmt ");
  out = put(out, 16, 4);  // size of the format chunk in bytes
  out = put(out, 1, 2);   // PCM format
  out = put(out, format.channels, 2);
  out = put(out, format.rate, 4);
  out = put(out, format.rate * frame, 4);
  out = put(out, frame, 2);
  out = put(out, 16, 2);  // bits per sample
  out = put(out, "data");
  out = put(out, static_cast<std::uint32_t>(bytes), 4);
  if (!format.is_float) {
    out = put(out, samples.substr(0, bytes));
  } else {
    for (std::size_t i = 0; i < count; ++i)
      out = put(out, to_16_bits(float_at(samples.data() + 4 * i)), 2);
  }
  return {file, static_cast<std::size_t>(out - file)};
}

}  // namespace openai
