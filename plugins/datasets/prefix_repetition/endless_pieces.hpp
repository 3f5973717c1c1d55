// Prefixes and suffixes without an end, for runs that end at a time. Each piece has a generator of
// its own (row_random.hpp).
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include <inferbench/random.hpp>

#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/prompt_maker.hpp"

/// The lengths of the pieces, and how many prefixes there are.
struct endless_layout {
  synthetic::length_range prefixes;
  synthetic::length_range suffixes;
  synthetic::length_range outputs;
  std::int64_t groups = 1;
};

/// Any thread. Keeps the prefixes that it has made; each token takes 4 bytes.
class endless_pieces {
 public:
  struct row {
    std::span<const std::uint32_t> prefix;  // lives as long as the endless_pieces
    std::vector<std::uint32_t> suffix;
    std::uint32_t output = 0;  // wanted length of the answer
  };

  endless_pieces(const synthetic::prompt_maker& maker, endless_layout layout, std::uint64_t seed);

  /// Returns the pieces of row `i`; every call returns the same content. The group of a row is
  /// drawn, so the rows need no shuffle. Throws the exceptions of the tokenizer.
  [[nodiscard]] row at(std::uint64_t i) const;

 private:
  [[nodiscard]] std::span<const std::uint32_t> prefix(std::int64_t group) const;
  [[nodiscard]] std::vector<std::uint32_t> piece(std::uint32_t length,
                                                 ifb::numpy_pcg64& random) const;

  synthetic::prompt_maker maker_;
  endless_layout layout_;
  std::uint64_t seed_;
  mutable std::mutex mutex_;
  // By group. No prefix is removed, so a view of a prefix stays valid.
  mutable std::unordered_map<std::int64_t, const std::vector<std::uint32_t>> prefixes_;
};
