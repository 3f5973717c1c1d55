// The member "decoder": makes a text from tokens.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// A list of tokens in one string, with the end of each token. A plain value.
class token_list {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }
  /// Returns the text of all tokens, one after the other.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] std::string take_text() && noexcept { return std::move(text_); }

  void clear() noexcept {
    text_.clear();
    ends_.clear();
  }
  void reserve(std::size_t tokens, std::size_t bytes) {
    ends_.reserve(tokens);
    text_.reserve(bytes);
  }
  void add(std::string_view token) {
    text_ += token;
    ends_.push_back(text_.size());
  }
  /// To build the last token, append to open(), then call close().
  [[nodiscard]] std::string& open() noexcept { return text_; }
  void close() { ends_.push_back(text_.size()); }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// Immutable: [any thread].
class decoder {
 public:
  virtual ~decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;

  /// `to` must be empty. The tokens are valid UTF-8, before and after. The decoded text is the
  /// concatenation of all tokens in `to`.
  virtual void decode(const token_list& from, token_list& to) const = 0;
  /// Returns whether the decoder only converts tokens back to bytes.
  [[nodiscard]] virtual bool is_byte_level() const { return false; }

 protected:
  decoder() = default;
};

/// Throws ifb::failure that names the JSON path.
[[nodiscard]] std::unique_ptr<decoder> read_decoder(const node& from);

}  // namespace tokenizers::hf
