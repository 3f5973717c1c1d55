// A tokenizer that Hugging Face's `tokenizers` would make from tokenizer.json: all ids and texts
// are the same.
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

/// The changes that the library `transformers` makes to tokenizer.json.
struct additions {
  /// Tokens to be added, in order. A token that the file already adds stays unchanged. A token of
  /// the vocabulary keeps its id, and any other token gets the next id.
  std::vector<added_token> tokens;

  /// The tokens before and after a text; empty if there are none. They replace the post-processor,
  /// like add_bos_token and add_eos_token in transformers 4.
  struct ends {
    std::string bos;
    std::string eos;
  };
  std::optional<ends> instead_of_post_processor;

  /// Whether to cut and pad by the sections "truncation" and "padding". Like in transformers, both
  /// are off unless they are requested.
  bool apply_limits = false;
};

/// All vectors have the same length.
struct encoding {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> type_ids;            // the number of the text, 0 or 1
  std::vector<std::uint8_t> attention_mask;       // 0: padding
  std::vector<std::uint8_t> special_tokens_mask;  // 1: special token or padding
};

/// Immutable: [any thread]. Each maximal invalid sequence in a text that is not valid UTF-8 is read
/// as U+FFFD. Time and memory are nearly linear in the length of the text, for any text.
class tokenizer {
 public:
  /// `json` is the text of tokenizer.json. Throws ifb::failure (IFB_E_CONFIG) that names the JSON
  /// path of the fault.
  explicit tokenizer(std::string json, const additions& on_top = {});
  ~tokenizer();
  tokenizer(tokenizer&&) noexcept;
  tokenizer& operator=(tokenizer&&) noexcept;

  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text, bool add_special) const;
  /// Appends the ids of `text` to `ids`.
  void encode(std::string_view text, bool add_special, std::vector<std::uint32_t>& ids) const;
  [[nodiscard]] encoding encode_pair(std::string_view text, std::string_view pair,
                                     bool add_special) const;
  /// Returns the number of ids that encode() would append.
  [[nodiscard]] std::size_t count(std::string_view text, bool add_special) const;

  /// Ids without a token are left out. The result is valid UTF-8.
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids, bool skip_special) const;

  /// size() returns the size of the model's vocabulary. total_size() also counts the added tokens
  /// that are not in the vocabulary.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t total_size() const;
  /// Returns the highest id that has a token.
  [[nodiscard]] std::uint32_t max_id() const;
  /// Returns the ids of special added tokens in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> special_ids() const;
  /// Returns the ids of encode("", true), without padding.
  [[nodiscard]] std::vector<std::uint32_t> ids_of_empty_text() const;

  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view token) const;
  /// Returns a token in the spelling of the vocabulary, or an added token in the spelling in which
  /// it is found. The view lives as long as the tokenizer.
  [[nodiscard]] std::optional<std::string_view> token_of(std::uint32_t id) const;

 private:
  struct parts;
  std::unique_ptr<const parts> parts_;
};

}  // namespace tokenizers::hf
