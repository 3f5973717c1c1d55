// The tokens for single bytes, "<0x00>" to "<0xFF>". They are a model's fallback.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizers/common/vocabulary.hpp"

namespace tokenizers::hf {

/// Immutable: [any thread].
class byte_tokens {
 public:
  /// Makes an object without tokens.
  byte_tokens() = default;
  explicit byte_tokens(const vocabulary& from);

  /// Appends a token for each byte of `text`. If a byte has no token, returns false and appends
  /// nothing.
  bool append(std::string_view text, std::vector<std::uint32_t>& ids) const;

 private:
  std::array<std::optional<std::uint32_t>, 256> ids_{};
};

}  // namespace tokenizers::hf
