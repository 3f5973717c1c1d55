// Tokens that are found in a text before the text is processed further: "<s>", "<|im_end|>".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model.hpp"
#include "tokenizers/common/added_token.hpp"
#include "tokenizers/common/node.hpp"
#include "tokenizers/common/token_trie.hpp"

namespace tokenizers::hf {

class normalizer;

/// Reads one element of "added_tokens". The member "id" is ignored: like in the reference, ids
/// follow from the order. Throws ifb::failure that names the path.
[[nodiscard]] added_token read_added_token(const node& from);

/// A section of a text: an added token, or the text between two added tokens.
struct section {
  std::optional<std::uint32_t> id;
  std::size_t begin = 0;  // offset in the text
  std::string_view text;  // empty for a token
};

/// Immutable after build(): [any thread].
class added_tokens {
 public:
  /// Ignores empty tokens, and tokens that were added before. A token of the model's vocabulary
  /// keeps its id; any other token gets the next id. Throws ifb::failure (IFB_E_CONFIG) if there is
  /// no next id.
  void add(added_token token, const model& vocabulary);
  /// Must be called after the last add(). `through` may be null.
  void build(const normalizer* through);

  /// Cuts `text` into sections and passes them to `take`, in order. cut_raw() finds the tokens that
  /// are not normalized, in raw text. cut_normalized() finds the other tokens, in normalized text.
  template <typename taker>
  void cut_raw(std::string_view text, taker&& take) const {
    cut(raw_, text, take);
  }
  template <typename taker>
  void cut_normalized(std::string_view text, taker&& take) const {
    cut(normalized_, text, take);
  }

  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view content) const;
  /// The form in which a decoder spells a token. Like in the reference, a token that is found in
  /// normalized text is spelled in its normalized form. Every token with the same spelling as a
  /// special token counts as special.
  struct spelling {
    std::string text;
    std::string bytes;  // the result of the decoder ByteLevel
    bool special = false;
  };
  /// Returns null if no added token has this id. The result lives as long as this object.
  [[nodiscard]] const spelling* spelling_of(std::uint32_t id) const noexcept {
    if (id < by_id_.size()) return by_id_[id] == 0 ? nullptr : &entries_[by_id_[id] - 1].spelled;
    return by_high_id_.empty() ? nullptr : spelling_of_high(id);
  }
  /// Returns how many added tokens are not in the model's vocabulary.
  [[nodiscard]] std::size_t beyond_vocabulary() const noexcept { return beyond_; }
  [[nodiscard]] std::optional<std::uint32_t> max_id() const noexcept { return max_id_; }
  /// Returns the ids in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> special_ids() const noexcept { return special_ids_; }

 private:
  struct entry {
    added_token token;
    std::uint32_t id = 0;
    spelling spelled;
  };
  struct text_hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  /// The progress of cutting a text.
  struct progress {
    std::size_t searched = 0;
    std::size_t done = 0;
    // The white space that was measured last.
    std::size_t space_begin = 0;
    std::size_t space_end = 0;
  };
  struct token_match {
    std::uint32_t id = 0;
    // the begin of the white space that the token includes, else of the token
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  [[nodiscard]] const spelling* spelling_of_high(std::uint32_t id) const noexcept;
  [[nodiscard]] std::optional<token_match> next(const token_trie& among, std::string_view text,
                                                progress& now) const;

  template <typename taker>
  void cut(const token_trie& among, std::string_view text, taker&& take) const {
    progress now;
    while (const auto token = next(among, text, now)) {
      if (now.done < token->begin)
        take(section{{}, now.done, text.substr(now.done, token->begin - now.done)});
      take(section{token->id, token->begin, {}});
      now.done = token->end;
    }
    if (now.done < text.size()) take(section{{}, now.done, text.substr(now.done)});
  }

  std::vector<entry> entries_;
  std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> by_content_;
  std::vector<std::uint32_t> by_id_;  // index + 1 in entries_, for ids below dense_ids; 0: no token
  std::unordered_map<std::uint32_t, std::uint32_t> by_high_id_;
  token_trie raw_;
  token_trie normalized_;
  std::size_t beyond_ = 0;
  std::optional<std::uint32_t> max_id_;
  std::vector<std::uint32_t> special_ids_;
};

}  // namespace tokenizers::hf
