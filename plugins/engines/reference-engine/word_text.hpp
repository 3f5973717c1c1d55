// The texts of the engine: one word for each token, chosen by a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reference_engine {

/// One round of SplitMix64 (Steele, Lea, Flood 2014) over two numbers: a number that looks random.
[[nodiscard]] std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept;

/// The word at a position of the endless text of a seed. Static.
[[nodiscard]] std::string_view word_at(std::uint64_t seed, std::uint64_t position) noexcept;

/// The position in the endless text at which an output begins, below word_text::beginnings.
[[nodiscard]] std::uint64_t beginning_of(std::uint64_t seed, std::uint64_t request,
                                         std::uint32_t output, std::uint32_t adapter) noexcept;

/// The beginning of the endless text of a seed, in memory once: all outputs are parts of it, so
/// 100,000 outputs take no memory of their own. Used by one thread at a time.
class word_text {
 public:
  static constexpr std::uint64_t beginnings = 4096;

  explicit word_text(std::uint64_t seed) : seed_(seed) {}

  /// Makes the text long enough for part() with `longest` words. Earlier parts become invalid.
  void reach(std::uint64_t longest);
  /// `count` words from the position `begin` (below `beginnings`) on, separated by spaces. `count`
  /// is at most that of reach().
  [[nodiscard]] std::string_view part(std::uint64_t begin, std::uint64_t count) const;

 private:
  std::uint64_t seed_;
  std::string text_;
  std::vector<std::size_t> ends_;  // where each word ends
};

}  // namespace reference_engine
