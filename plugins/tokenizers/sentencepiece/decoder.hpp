// Turns ids into text in the same way as the slow tokenizers of `transformers`. SentencePiece
// decodes the ids between special tokens, and each class adds its own spaces around the special
// tokens.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>

#include "pieces.hpp"
#include "rules.hpp"
#include "splitter.hpp"

namespace tokenizers::spm {

/// The data for decoding. They must outlive the call.
struct vocabulary {
  const pieces& model;
  const splitter& known;
  const rules& how;
  const std::unordered_set<std::uint32_t>& special;  // left out of the text on request
  const std::unordered_set<std::uint32_t>& apart;    // decoded separately, between spaces
};

/// [any thread] Ids that have no token are left out.
[[nodiscard]] std::string decode(const vocabulary& from, std::span<const std::uint32_t> ids,
                                 bool skip_special);

}  // namespace tokenizers::spm
