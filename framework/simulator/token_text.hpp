// The text of a generated answer, token by token. An ordinary answer is made of words. An answer
// that has to have a structure is a fixed text, cut into pieces like those of a tokenizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::simulator {

/// Appends the text of `count` tokens. Each token is a word of a fixed text, starting with word
/// number `first`; after the last word, the text starts again. The words are ASCII and need no
/// escapes in JSON.
void append_words(std::string& out, std::uint64_t first, std::uint64_t count);
/// The number of bytes that append_words() appends.
[[nodiscard]] std::size_t size_of_words(std::uint64_t first, std::uint64_t count);

/// A fixed text as JSON without quotes, and where its tokens end.
struct token_pieces {
  std::string json;
  std::vector<std::uint32_t> ends;  // of each token, in bytes of `json`; empty: there is no text

  [[nodiscard]] bool any() const noexcept { return !ends.empty(); }
};

/// Cuts `text` into tokens: a run of letters, of up to three digits, or of other signs, each with
/// the blank in front of it. The bytes of a character that is not ASCII count as letters, so no
/// character is cut. A text without bytes is one token.
[[nodiscard]] token_pieces pieces_of(std::string_view text);
/// The tokens of a call with these arguments. The first token stands for the name of the tool, and
/// has no text.
[[nodiscard]] token_pieces pieces_of_call(std::string_view arguments);

/// A view of the tokens of an answer, from one of them to the end. The pieces must outlive it.
class token_text {
 public:
  /// The words from number `first_word` on, unless there are `pieces`.
  // The conversion is implicit, because for most callers a number is the text.
  // NOLINTNEXTLINE(google-explicit-constructor)
  token_text(std::uint64_t first_word, const token_pieces* pieces = nullptr) noexcept
      : first_(first_word), pieces_(pieces != nullptr && pieces->any() ? pieces : nullptr) {
    if (pieces_ != nullptr) first_ = 0;
  }

  /// The same text without its first `tokens` tokens.
  [[nodiscard]] token_text from(std::uint64_t tokens) const noexcept {
    token_text out = *this;
    out.first_ += tokens;
    return out;
  }
  /// Appends the first `count` tokens as JSON without quotes.
  void append(std::string& out, std::uint64_t count) const;
  /// The number of bytes that append() appends.
  [[nodiscard]] std::size_t size(std::uint64_t count) const;

 private:
  [[nodiscard]] std::string_view part(std::uint64_t count) const;

  std::uint64_t first_;
  const token_pieces* pieces_;
};

}  // namespace inferbench::simulator
