// The offsets at which a long piece may be cut before its bytes are merged. If two characters are
// not neighbours in any token, no merge can join them. In scripts without spaces this allows a cut
// between most words, and words occur again more often than whole sentences.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizers/common/hash.hpp"

namespace tokenizers::hf {

/// Immutable after the last add(): then [any thread]. Cuts only beside a character that is not
/// ASCII.
class byte_cuts {
 public:
  /// Makes an object that never cuts.
  byte_cuts() = default;
  /// `tokens` is the size of the vocabulary.
  explicit byte_cuts(std::size_t tokens);
  /// Adds the bytes of a token. Must be called for every token that merges can make.
  void add(std::string_view token);

  /// Returns the end of the first stretch of `piece`. Encoded separately, the stretch gets the same
  /// ids as within the piece.
  [[nodiscard]] std::size_t first(std::string_view piece) const noexcept;

 private:
  [[nodiscard]] std::size_t bit_of(std::uint64_t left, std::uint64_t right) const noexcept {
    return mixed(left, right) & mask_;
  }

  std::vector<std::uint64_t> pairs_;  // a bit set, indexed by the hash of two characters
  std::size_t mask_ = 0;              // the mask for the number of a bit
  // For tokens that end inside a character: the two bytes beside the border.
  std::bitset<0x10000> parts_;
};

}  // namespace tokenizers::hf
