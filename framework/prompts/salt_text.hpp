// Puts a salt in front of one text. If there is a tokenizer, it can keep the number of tokens of
// the text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/tokenizer.hpp"

namespace inferbench::prompts {

/// A value type; any thread. The tokenizer must outlive it.
class salt_text {
 public:
  struct salted_text {
    std::string text;
    std::int64_t grown = 0;  // number of tokens that were added; 0 if there is no tokenizer
  };

  /// `tokens` is nullptr if the run has no tokenizer. `exact`: the tokenizer generated the prompts
  /// with a wanted length, which must not change.
  salt_text(std::string text, const services::tokenizer* tokens, bool exact);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The tokens of the salt. Without a tokenizer, these are ids that exist in most vocabularies,
  /// computed from the text of the salt.
  [[nodiscard]] const std::vector<std::uint32_t>& ids() const noexcept { return ids_; }
  /// The token that the model always puts before a prompt, if there is one.
  [[nodiscard]] std::optional<std::uint32_t> first() const noexcept { return first_; }
  [[nodiscard]] bool exact() const noexcept { return exact_; }
  [[nodiscard]] bool counts() const noexcept { return tokens_ != nullptr; }

  /// `prompt` with the salt in front of `content`, if the prompt contains it; otherwise in front of
  /// the whole prompt, but after a beginning token at its start.
  [[nodiscard]] salted_text salted(std::string_view prompt, std::string_view content = {}) const;

  /// The text made of `before`, the salt and `rest`. The length grows.
  [[nodiscard]] salted_text in_front(std::string_view before, std::string_view rest) const;

 private:
  using token_ids = std::vector<std::uint32_t>;

  [[nodiscard]] std::optional<token_ids> encode(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] std::optional<std::string> decode(std::span<const std::uint32_t> from) const;
  [[nodiscard]] std::int64_t count(std::string_view text) const;
  void find_ids();
  void find_beginnings();
  [[nodiscard]] std::size_t beginning_of(std::string_view prompt) const;
  [[nodiscard]] std::optional<salted_text> refitted(std::string_view before,
                                                    std::string_view rest) const;

  std::string text_;
  const services::tokenizer* tokens_;
  bool exact_;
  token_ids ids_;
  std::optional<std::uint32_t> first_;
  std::vector<std::string> beginnings_;  // texts of the tokens with which a prompt may begin
};

}  // namespace inferbench::prompts
