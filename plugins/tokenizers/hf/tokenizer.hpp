// A tokenizer as Hugging Face `tokenizers` makes it from tokenizer.json: all ids and texts are the
// same.
//
//   text -> added tokens (raw) -> normalizer -> added tokens (normalized) -> pre-tokenizer
//        -> model -> post-processor -> ids
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "added_tokens.hpp"

namespace tokenizers::hf {

/// The additions of the library `transformers` to tokenizer.json.
struct additions {
  /// Tokens to be added, in order. A token that the file adds already stays unchanged; a token of
  /// the vocabulary keeps its id; any other gets the next id.
  std::vector<added_token> tokens;

  /// The tokens before and after a text, or empty. They replace the post-processor, as
  /// add_bos_token and add_eos_token did in transformers 4.
  struct ends {
    std::string bos;
    std::string eos;
  };
  std::optional<ends> instead_of_post_processor;

  /// Cut and pad as the sections "truncation" and "padding" say. Both are off unless they are asked
  /// for, as in transformers.
  bool apply_limits = false;
};

/// All vectors are of one length.
struct encoding {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> type_ids;            // the number of the text, 0 or 1
  std::vector<std::uint8_t> attention_mask;       // 0: padding
  std::vector<std::uint8_t> special_tokens_mask;  // 1: not from the text
};

/// Immutable: [any] thread. Texts that are not valid UTF-8 are read as if each bad part were
/// U+FFFD. Takes time and memory near-linear in the text, for any text.
class tokenizer {
 public:
  /// `json`: the text of tokenizer.json. Throws ifb::failure (IFB_E_CONFIG) that names the JSON
  /// path of the fault.
  explicit tokenizer(std::string json, const additions& on_top = {});
  ~tokenizer();
  tokenizer(tokenizer&&) noexcept;
  tokenizer& operator=(tokenizer&&) noexcept;

  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text, bool add_special) const;
  /// Appends.
  void encode(std::string_view text, bool add_special, std::vector<std::uint32_t>& ids) const;
  [[nodiscard]] encoding encode_pair(std::string_view text, std::string_view pair,
                                     bool add_special) const;
  /// The number of ids that encode() appends.
  [[nodiscard]] std::size_t count(std::string_view text, bool add_special) const;

  /// Ids without a token are left out. The result is valid UTF-8.
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids, bool skip_special) const;

  /// The size of the model's vocabulary, and the size together with added tokens that are not in
  /// it.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t total_size() const;
  /// The highest id that has a token.
  [[nodiscard]] std::uint32_t max_id() const;
  /// The ids of special added tokens, ascending.
  [[nodiscard]] std::span<const std::uint32_t> special_ids() const;
  /// The number of ids of encode("", true), without padding.
  [[nodiscard]] std::vector<std::uint32_t> ids_of_empty_text() const;

  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view token) const;
  /// A token as the vocabulary spells it, or an added token as it is found. Lives as long as the
  /// tokenizer.
  [[nodiscard]] std::optional<std::string_view> token_of(std::uint32_t id) const;

 private:
  struct parts;
  std::unique_ptr<const parts> parts_;
};

}  // namespace tokenizers::hf
