// Where a long piece may be cut before its bytes are merged: between two characters that stand
// side by side in no token, no merge can ever reach across. In scripts without spaces that is
// between most words, and words are met again where whole sentences are not.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizers/common/hash.hpp"

namespace tokenizers::hf {

/// Immutable once it is filled: then [any] thread. Knows of places beside a character that is not
/// ASCII only; between two of ASCII it never cuts.
class byte_cuts {
 public:
  /// Never cuts.
  byte_cuts() = default;
  /// For a vocabulary of so many tokens.
  explicit byte_cuts(std::size_t tokens);
  /// The bytes of a token. All that merges can make are to be added.
  void add(std::string_view token);

  /// Where the first stretch of `piece` ends, which becomes what it would within the piece.
  [[nodiscard]] std::size_t first(std::string_view piece) const noexcept;

 private:
  [[nodiscard]] std::size_t bit_of(std::uint64_t left, std::uint64_t right) const noexcept {
    return mixed(left, right) & mask_;
  }

  std::vector<std::uint64_t> pairs_;  // bits, by the hash of two characters
  std::size_t mask_ = 0;              // of the number of a bit
  // Where a token has only a part of a character: the bytes beside the place.
  std::bitset<0x10000> parts_;
};

}  // namespace tokenizers::hf
