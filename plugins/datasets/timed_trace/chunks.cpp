#include "chunks.hpp"

#include <inferbench/random.hpp>

namespace {

// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
constexpr std::uint64_t step = 0x9E3779B97F4A7C15U;
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
  return z ^ z >> 31U;
}

}  // namespace

// The hash FNV-1a with 64 bits, by Fowler, Noll and Vo.
std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t out = 0xCBF29CE484222325U;
  for (const char c : text)
    out = (out ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return out;
}

void chunks::append(std::uint64_t hash, std::size_t count, std::vector<std::uint32_t>& out) const {
  std::uint64_t state = mixed(mixed(seed_ + step) ^ hash);
  for (std::size_t i = 0; i < count; ++i) {
    state += step;
    // The high half of the product is uniform over the list, with a deviation of at most 2^-32.
    const ifb::uint128 place = ifb::uint128{mixed(state)} * allowed_.size();
    out.push_back(allowed_[static_cast<std::size_t>(place >> 64U)]);
  }
}
