#include "exif.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "numbers.hpp"
#include "tiff.hpp"

namespace inferbench::media::exif {
namespace {

std::string_view without_prefix(std::string_view text, std::string_view prefix) noexcept {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

}  // namespace

int of_jpeg(std::string_view file) noexcept {
  const numbers from(file, byte_order::big);
  for (std::size_t at = 2; at + 4 <= file.size();) {
    if (from.read(at, 1) != 0xFF) return 1;
    const std::uint64_t marker = from.read(at + 1, 1);
    if (marker == 0xFF) {  // a marker may begin with any number of these bytes
      ++at;
      continue;
    }
    if (marker == 0xDA || marker == 0xD9) return 1;              // the pixels, the end
    if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {  // markers without a segment
      at += 2;
      continue;
    }
    const std::uint64_t bytes = from.read(at + 2, 2);
    if (bytes < 2) return 1;
    const std::string_view segment = part(file, at + 4, bytes - 2);
    constexpr std::string_view head("Exif\0\0", 6);
    if (marker == 0xE1 && segment.starts_with(head))
      return tiff::orientation_of(segment.substr(head.size()));
    at += 2 + bytes;
  }
  return 1;
}

int of_png(std::string_view file) noexcept {
  const numbers from(file, byte_order::big);
  for (std::size_t at = 8; at + 8 <= file.size();) {
    const std::uint64_t bytes = from.read(at, 4);
    if (part(file, at + 4, 4) == "eXIf") return tiff::orientation_of(part(file, at + 8, bytes));
    at += 12 + bytes;
  }
  return 1;
}

int of_webp(std::string_view file) noexcept {
  if (!file.starts_with("RIFF") || part(file, 8, 4) != "WEBP") return 1;
  const numbers from(file, byte_order::little);
  for (std::size_t at = 12; at + 8 <= file.size();) {
    const std::uint64_t bytes = from.read(at + 4, 4);
    // Some writers put JPEG's head before the data.
    if (part(file, at, 4) == "EXIF")
      return tiff::orientation_of(
          without_prefix(part(file, at + 8, bytes), std::string_view("Exif\0\0", 6)));
    at += 8 + bytes + bytes % 2;
  }
  return 1;
}

image turned(image from, int orientation) {
  if (orientation < 2 || orientation > 8) return from;
  const auto width = static_cast<std::ptrdiff_t>(from.width);
  const auto height = static_cast<std::ptrdiff_t>(from.height);
  const bool quarter = orientation >= 5;
  // Whether the first pixel of the result is in the last column or row.
  const bool from_right = orientation == 2 || orientation == 3 || orientation >= 7;
  const bool from_bottom =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const std::ptrdiff_t right = from_right ? -3 : 3;
  const std::ptrdiff_t down = from_bottom ? -3 * width : 3 * width;
  std::ptrdiff_t row = 3 * ((from_bottom ? height - 1 : 0) * width + (from_right ? width - 1 : 0));

  image out;
  out.width = quarter ? from.height : from.width;
  out.height = quarter ? from.width : from.height;
  out.rgb.resize(from.rgb.size());
  const std::uint8_t* const in = from.rgb.data();
  std::uint8_t* to = out.rgb.data();
  for (std::uint32_t y = 0; y < out.height; ++y, row += quarter ? right : down) {
    std::ptrdiff_t at = row;
    for (std::uint32_t x = 0; x < out.width; ++x, at += quarter ? down : right)
      for (std::ptrdiff_t c = 0; c < 3; ++c)
        *to++ = in[at + c];
  }
  return out;
}

}  // namespace inferbench::media::exif
