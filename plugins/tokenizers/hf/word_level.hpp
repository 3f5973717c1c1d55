// Model "WordLevel": a piece is one token, or the unknown token.
#pragma once

#include "vocabulary_model.hpp"

namespace tokenizers::hf {

class word_level final : public vocabulary_model {
 public:
  explicit word_level(const node& from);
  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const override;

 private:
  std::optional<std::uint32_t> unknown_;
};

}  // namespace tokenizers::hf
