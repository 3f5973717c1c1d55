// The tokens for single bytes, which are a model's fallback: "<0x00>" to "<0xFF>".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizers/common/vocabulary.hpp"

namespace tokenizers::hf {

/// [any] thread.
class byte_tokens {
 public:
  /// Without any token.
  byte_tokens() = default;
  explicit byte_tokens(const vocabulary& from);

  /// Appends a token for each byte of `text`; nothing, and false, if a byte has none.
  bool append(std::string_view text, std::vector<std::uint32_t>& ids) const;

 private:
  std::array<std::optional<std::uint32_t>, 256> ids_{};
};

}  // namespace tokenizers::hf
