// Random numbers for data without an end: each row has a generator of its own, so that rows can be
// made in any order and on several threads.
#pragma once

#include <cstdint>

namespace synthetic {

/// Data without an end cannot be looked through, so this number of the first rows stands for all of
/// them: for the longest prefix, the shortest document and the report about wrong lengths.
inline constexpr std::uint64_t looked_at = 1000;

/// Returns the seed of a row's generator. Neighbouring rows and seeds have unrelated generators.
/// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
[[nodiscard]] constexpr std::uint64_t seed_of_row(std::uint64_t seed, std::uint64_t row) noexcept {
  constexpr std::uint64_t step = 0x9E3779B97F4A7C15U;
  const auto mixed = [](std::uint64_t z) {
    z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
    return z ^ z >> 31U;
  };
  return mixed(mixed(seed + step) + (row + 1) * step);
}

}  // namespace synthetic
