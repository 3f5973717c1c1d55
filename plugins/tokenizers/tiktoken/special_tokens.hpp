// Tokens that are no words of the language: found in a text before it is cut.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encodings.hpp"
#include "ranks.hpp"
#include "tokenizers/common/token_trie.hpp"
#include "tokenizers/model_files/model_config.hpp"

namespace tokenizers::tiktoken {

/// Immutable: [any] thread.
class special_tokens {
 public:
  /// What the configuration numbers goes before what the encoding, which may be null, adds by
  /// itself; what the configuration names without a number gets the next free one.
  special_tokens(const model_files::model_config& config, const encoding* known, const ranks& base);

  struct section {
    const std::uint32_t* id = nullptr;  // of a token; null: a text
    std::string_view text;
  };
  /// Calls `take(section)` for the sections of `text`, in order.
  template <typename taker>
  void cut(std::string_view text, taker&& take) const {
    std::size_t done = 0;
    while (const auto found = trie_.find(text, done)) {
      if (done < found->begin) take(section{nullptr, text.substr(done, found->begin - done)});
      take(section{&found->value, {}});
      done = found->end;
    }
    if (done < text.size()) take(section{nullptr, text.substr(done)});
  }

  struct token {
    std::string content;
    bool special = true;  // left out where a decoder skips special tokens
  };
  /// Null where the id is none of them.
  [[nodiscard]] const token* find(std::uint32_t id) const;
  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view content) const;
  /// Of those that are special, ascending.
  [[nodiscard]] std::span<const std::uint32_t> ids() const noexcept { return ids_; }
  /// Those whose ids are not in the file.
  [[nodiscard]] std::size_t beyond() const noexcept { return beyond_; }

 private:
  void add(const std::string& content, std::uint32_t id, bool special);

  std::map<std::uint32_t, token> tokens_;
  std::map<std::string, std::uint32_t, std::less<>> by_content_;
  token_trie trie_;
  std::vector<std::uint32_t> ids_;
  std::size_t beyond_ = 0;
};

}  // namespace tokenizers::tiktoken
