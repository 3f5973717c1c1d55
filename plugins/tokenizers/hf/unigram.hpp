// Model "Unigram": spells a piece in the most likely way.
#pragma once

#include "byte_tokens.hpp"
#include "tokenizers/common/trie.hpp"
#include "tokenizers/common/word_cache.hpp"
#include "vocabulary_model.hpp"

namespace tokenizers::hf {

class unigram final : public vocabulary_model {
 public:
  explicit unigram(const node& from);
  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const override;
  void finish() override;

 private:
  void encode_anew(std::string_view piece, std::vector<std::uint32_t>& ids) const;
  /// Appends the ids for characters that no token spells. Neighbouring characters may share one
  /// token.
  void append_unknown(std::string_view part, std::vector<std::uint32_t>& ids) const;

  trie trie_;                   // its values are ids
  std::vector<double> scores_;  // scores by id
  std::optional<std::uint32_t> unknown_;
  double score_of_unknown_ = 0;
  byte_tokens bytes_;
  mutable word_cache cache_{tokens().size()};
};

}  // namespace tokenizers::hf
