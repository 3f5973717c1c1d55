#include "resolution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <zlib.h>

namespace figures {
namespace {

constexpr std::size_t head_size = 33;  // signature and IHDR: 8 + (4 + 4 + 13 + 4) bytes
constexpr double inches_per_metre = 39.37007874;

void append_big_endian(std::string& out, std::uint32_t value) {
  for (unsigned shift = 32; shift > 0;) {
    shift -= 8;
    out += static_cast<char>((value >> shift) & 255U);
  }
}

}  // namespace

std::string with_dots_per_inch(std::string png, int dots_per_inch) {
  const auto dots = static_cast<std::uint32_t>(std::lround(dots_per_inch * inches_per_metre));
  std::string body = "pHYs";
  append_big_endian(body, dots);
  append_big_endian(body, dots);
  body += '\1';  // the unit is the metre
  std::string chunk;
  append_big_endian(chunk, static_cast<std::uint32_t>(body.size() - 4));
  chunk += body;
  append_big_endian(
      chunk, static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                static_cast<uInt>(body.size()))));
  return png.insert(std::min(head_size, png.size()), chunk);
}

}  // namespace figures
