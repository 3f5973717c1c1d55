// The text of a salt in front of one text. What it does to a prompt's length is made good here,
// where there is a tokenizer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/tokenizer.hpp"

namespace inferbench::prompts {

/// A value; any thread. What it was made from must outlive it.
class salt_text {
 public:
  struct changed {
    std::string text;
    std::int64_t grown = 0;  // tokens; 0 where nobody can count
  };

  /// `tokens`: nullptr where the run has none. `exact`: prompts were made to a length by it, and
  /// are to keep it.
  salt_text(std::string text, const services::tokenizer* tokens, bool exact);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The same as tokens; without a tokenizer ids made from it, which most vocabularies have.
  [[nodiscard]] const std::vector<std::uint32_t>& ids() const noexcept { return ids_; }
  /// The token that the model begins a prompt with by itself, where it has one.
  [[nodiscard]] std::optional<std::uint32_t> first() const noexcept { return first_; }
  [[nodiscard]] bool exact() const noexcept { return exact_; }
  [[nodiscard]] bool counts() const noexcept { return tokens_ != nullptr; }

  /// `prompt` with the salt in front of `content`, where that is in it; else in front of all, but
  /// behind the beginning token if the prompt spells that out.
  [[nodiscard]] changed salted(std::string_view prompt, std::string_view content = {}) const;

  /// The salt between the two; the length grows.
  [[nodiscard]] changed in_front(std::string_view before, std::string_view rest) const;

 private:
  using token_ids = std::vector<std::uint32_t>;

  [[nodiscard]] std::optional<token_ids> encode(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] std::optional<std::string> decode(std::span<const std::uint32_t> from) const;
  [[nodiscard]] std::int64_t count(std::string_view text) const;
  void find_ids();
  void find_beginnings();
  [[nodiscard]] std::size_t beginning_of(std::string_view prompt) const;
  [[nodiscard]] std::optional<changed> refitted(std::string_view before,
                                                std::string_view rest) const;

  std::string text_;
  const services::tokenizer* tokens_;
  bool exact_;
  token_ids ids_;
  std::optional<std::uint32_t> first_;
  std::vector<std::string> beginnings_;  // texts of tokens that a prompt may begin with
};

}  // namespace inferbench::prompts
