// Model "WordPiece": from left to right, it always takes the longest token that fits. A piece that
// cannot be spelled completely in this way becomes the unknown token as a whole.
#pragma once

#include <cstddef>
#include <string>

#include "tokenizers/common/trie.hpp"
#include "vocabulary_model.hpp"

namespace tokenizers::hf {

class wordpiece final : public vocabulary_model {
 public:
  explicit wordpiece(const node& from);
  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const override;
  void finish() override;

 private:
  std::optional<std::uint32_t> unknown_;
  std::size_t most_characters_;
  std::string prefix_;  // the prefix of a continuation
  trie first_;          // all tokens
  trie later_;          // all tokens that begin with prefix_; the prefix is removed
};

}  // namespace tokenizers::hf
