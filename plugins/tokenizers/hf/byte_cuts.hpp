// The places at which a long piece may be cut before its bytes are merged: no merge can join two
// characters that are neighbours in no token. In scripts without spaces that is between most words,
// and words occur again more often than whole sentences.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizers/common/hash.hpp"

namespace tokenizers::hf {

/// Immutable once it is filled: then [any] thread. Cuts only beside a character that is not ASCII.
class byte_cuts {
 public:
  /// Makes an object that never cuts.
  byte_cuts() = default;
  /// `tokens`: the size of the vocabulary.
  explicit byte_cuts(std::size_t tokens);
  /// Adds the bytes of a token. Call this for every token that merges can make.
  void add(std::string_view token);

  /// The end of the first stretch of `piece`: encoded alone, it has the ids that it has within the
  /// piece.
  [[nodiscard]] std::size_t first(std::string_view piece) const noexcept;

 private:
  [[nodiscard]] std::size_t bit_of(std::uint64_t left, std::uint64_t right) const noexcept {
    return mixed(left, right) & mask_;
  }

  std::vector<std::uint64_t> pairs_;  // bits, by the hash of two characters
  std::size_t mask_ = 0;              // of the number of a bit
  // For tokens that end inside a character: the bytes beside the place.
  std::bitset<0x10000> parts_;
};

}  // namespace tokenizers::hf
