#include "png.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace reporters {
namespace {

// The size of the signature and of IHDR: 8 + (4 + 4 + 13 + 4) bytes.
constexpr std::size_t header_size = 33;

std::uint32_t crc(std::string_view bytes) {
  std::uint32_t out = ~0U;
  for (const char c : bytes) {
    out ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit)
      out = (out >> 1U) ^ ((out & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~out;
}

void append(std::string& out, std::uint32_t value) {
  for (unsigned shift = 32; shift > 0; shift -= 8)
    out += static_cast<char>(value >> (shift - 8));
}

}  // namespace

std::string with_resolution(const std::string& png, double dots_per_inch) {
  constexpr double inches_per_metre = 39.37007874;
  const auto dots = static_cast<std::uint32_t>(std::lround(dots_per_inch * inches_per_metre));
  std::string body = "pHYs";
  append(body, dots);
  append(body, dots);
  body += '\1';  // the unit is the metre
  std::string chunk;
  append(chunk, static_cast<std::uint32_t>(body.size() - 4));
  chunk += body;
  append(chunk, crc(body));
  std::string out = png;
  return out.insert(std::min(header_size, out.size()), chunk);
}

}  // namespace reporters
