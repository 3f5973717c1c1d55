// Sounds, and forms that upload them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferbench::simulator {

/// A WAV file of silence: 8000 samples a second, 16 bits each.
inline std::string silence(double seconds) {
  const auto number = [](std::uint32_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i, value >>= 8U)
      out += static_cast<char>(value & 0xFFU);
    return out;
  };
  const auto size = static_cast<std::uint32_t>(seconds * 16000);
  return "RIFF" + number(36 + size, 4) + "WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2) +
         number(8000, 4) + number(16000, 4) + number(2, 2) + number(16, 2) + "data" +
         number(size, 4) + std::string(size, '\0');
}

inline constexpr std::string_view form_type = "multipart/form-data; boundary=edge";

using form_texts = std::vector<std::pair<std::string, std::string>>;

/// A form with a file, which is left out if it is empty, and further fields.
inline std::string form_with(const std::string& file, const form_texts& texts) {
  std::string out;
  if (!file.empty())
    out +=
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n"
        "Content-Type: audio/wav\r\n\r\n" +
        file + "\r\n";
  for (const auto& [name, value] : texts)
    out +=
        "--edge\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
  return out + "--edge--\r\n";
}

}  // namespace inferbench::simulator
