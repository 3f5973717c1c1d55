// A stream of pseudo-random numbers: SplitMix64 (Steele, Lea, Flood 2014). It is small enough to be
// a member of every request. next() and uniform() give the same numbers on every machine; normal()
// uses the logarithm and cosine of the C library, whose last digit may differ. Not for secrets.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace inferbench::simulator {

/// One thread at a time. A copy continues independently, with the numbers that the original would
/// give next.
class random_stream {
 public:
  explicit random_stream(std::uint64_t seed = 0) : state_(seed) {}

  /// A number of 64 random bits.
  [[nodiscard]] std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// A number in [0, 1) with 53 random bits.
  [[nodiscard]] double uniform() noexcept { return static_cast<double>(next() >> 11U) * 0x1p-53; }

  /// A normal variate with mean 0 and standard deviation 1: one of the two values of the Box-Muller
  /// transform.
  [[nodiscard]] double normal() noexcept {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

/// The seed for the request with this `id`. It depends only on the two arguments, so that an answer
/// does not depend on earlier requests. It is the first output of SplitMix64 whose state is the
/// exclusive or of two numbers: the 64-bit FNV-1a hash of `id`, and the first output of SplitMix64
/// with the state `seed`.
[[nodiscard]] inline std::uint64_t seed_of(std::uint64_t seed, std::string_view id) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : id)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return random_stream(hash ^ random_stream(seed).next()).next();
}

}  // namespace inferbench::simulator
