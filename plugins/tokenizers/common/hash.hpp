// Hashes for tables of tokens, with one multiplication for every eight bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tokenizers {

/// Returns up to eight bytes as a number; missing bytes are zero.
[[nodiscard]] inline std::uint64_t load_bytes(const char* from, std::size_t size) noexcept {
  const auto part = [&]<typename number>(number, std::size_t at) {
    number out = 0;
    std::memcpy(&out, from + at, sizeof out);
    return std::uint64_t{out};
  };
  if (size >= 8) return part(std::uint64_t{}, 0);
  // The two loads may overlap and contain the same bytes twice. This avoids a loop.
  if (size >= 4)
    return part(std::uint32_t{}, 0) | part(std::uint32_t{}, size - 4) << 8 * (size - 4);
  if (size == 0) return 0;
  const auto byte = [&](std::size_t at) {
    return std::uint64_t{static_cast<unsigned char>(from[at])} << 8 * at;
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

[[nodiscard]] inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a ^ 0x9E3779B97F4A7C15U) * (b ^ 0xD1B54A32D192ED03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

[[nodiscard]] inline std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t out = text.size();
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > 8; at += 8, left -= 8)
    out = mixed(out, load_bytes(at, 8));
  return mixed(out, load_bytes(at, left));
}

[[nodiscard]] inline std::uint64_t hash_of(std::uint64_t number) noexcept {
  return (number ^ number >> 32U) * 0x9E3779B97F4A7C15U;
}

/// Returns the number of slots of an open-addressing table for `entries` entries: a power of two,
/// at least 2, so that at most two thirds of the slots are used.
[[nodiscard]] inline std::size_t slots_for(std::size_t entries) noexcept {
  return std::bit_ceil(entries + entries / 2 + 2);
}

}  // namespace tokenizers
