// Special tokens, which are found in a text before the text is cut.
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

/// Immutable: [any thread].
class special_tokens {
 public:
  /// The tokens that the configuration numbers override the tokens of the encoding, which may be
  /// null. A token that the configuration names without a number gets the next free id.
  special_tokens(const model_files::model_config& config, const encoding* known, const ranks& base);

  struct section {
    const std::uint32_t* id = nullptr;  // the id of a token; null: the section is text
    std::string_view text;
  };
  /// Calls `take(section)` for all sections of `text`, in order.
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
    bool special = true;  // a decoder that skips special tokens leaves it out
  };
  /// Returns null if no special token has this id.
  [[nodiscard]] const token* find(std::uint32_t id) const;
  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view content) const;
  /// Returns the ids of all tokens whose member `special` is true, in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> ids() const noexcept { return ids_; }
  /// Returns the number of tokens whose ids are not in the file.
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
