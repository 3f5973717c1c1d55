// Whole numbers with seven bits per byte, the lowest bits first (LEB128). Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace reporters {

inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 128; value >>= 7U)
    out += static_cast<char>((value & 127U) | 128U);
  out += static_cast<char>(value);
}

/// Reads the number at `at` and moves `at` behind it. `bytes` must be the output of
/// append_varint().
[[nodiscard]] inline std::uint64_t read_varint(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= std::uint64_t{byte & 127U} << shift;
    if (byte < 128) break;
  }
  return value;
}

/// Returns a number that is small if `value` is near zero: 0, -1, 1, -2 become 0, 1, 2, 3.
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t from_zigzag(std::uint64_t code) noexcept {
  return static_cast<std::int64_t>((code >> 1U) ^ (0 - (code & 1U)));
}

}  // namespace reporters
