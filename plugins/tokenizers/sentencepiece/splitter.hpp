// Finds added tokens in a text before SentencePiece encodes the text between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizers/common/added_token.hpp"
#include "tokenizers/common/token_trie.hpp"

namespace tokenizers::spm {

struct known_token {
  added_token token;
  std::uint32_t id = 0;
};

/// Immutable: [any thread].
class splitter {
 public:
  /// If several tokens have the same content, the first token counts.
  explicit splitter(std::vector<known_token> tokens);
  splitter(const splitter&) = delete;
  splitter& operator=(const splitter&) = delete;
  splitter(splitter&&) noexcept = default;
  splitter& operator=(splitter&&) noexcept = default;
  ~splitter() = default;

  struct part {
    std::string text;
    const known_token* token = nullptr;  // null: a text for SentencePiece
  };
  /// `text` must be valid UTF-8. No part is empty. Depending on its declaration, a token may
  /// include the white space beside it, and may not match inside words.
  [[nodiscard]] std::vector<part> split(std::string_view text) const;

  [[nodiscard]] const known_token* find(std::string_view content) const;
  [[nodiscard]] const known_token* find(std::uint32_t id) const;
  [[nodiscard]] const std::vector<known_token>& tokens() const noexcept { return tokens_; }

 private:
  std::vector<known_token> tokens_;
  std::unordered_map<std::string_view, const known_token*> by_content_;
  std::unordered_map<std::uint32_t, const known_token*> by_id_;
  token_trie trie_;
};

}  // namespace tokenizers::spm
