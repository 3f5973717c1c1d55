#include "block_hash.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace synthetic {

namespace {

constexpr std::uint64_t stirred(std::uint64_t state, std::uint64_t word) {
  return std::rotl((state ^ word) * 0xD6E8FEB86659FD93U, 29);
}

}  // namespace

void block_hash::add(std::string_view bytes) noexcept {
  size_ += bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t some = std::min<std::size_t>(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), some);
    state_ = stirred(state_, word);
    bytes.remove_prefix(some);
  }
}

std::uint64_t block_hash::value() const noexcept {
  return stirred(stirred(stirred(state_, size_), 1), 2);
}

std::string short_name_of(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t seed : {1U, 2U}) {
    block_hash hash(seed);
    hash.add(text);
    for (unsigned shift = 64; shift != 0; shift -= 4)
      out += digits[hash.value() >> (shift - 4) & 15U];
  }
  return out;
}

}  // namespace synthetic
