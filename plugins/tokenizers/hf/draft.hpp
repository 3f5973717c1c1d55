// A text on its way through normalizers. What changes nothing copies nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tokenizers::hf {

/// [one thread]
class draft {
 public:
  /// `text` outlives this. `lead`: how many bytes at its beginning come from the first character
  /// of the original text (piece.hpp).
  draft(std::string_view text, std::size_t lead) noexcept : text_(text), lead_(lead) {}
  draft(const draft&) = delete;
  draft& operator=(const draft&) = delete;

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::size_t lead() const noexcept { return lead_; }

  /// Takes away from both ends.
  void narrow(std::size_t begin, std::size_t end) noexcept {
    text_ = text_.substr(begin, end - begin);
    lead_ = lead_ < begin ? 0 : lead_ - begin;
  }

  /// The next version is written into this, which is empty, while text() can still be read.
  [[nodiscard]] std::string& next() noexcept {
    std::string& to = buffers_[which_];
    to.clear();
    return to;
  }
  /// What was written becomes the text.
  void take_next(std::size_t lead) noexcept {
    text_ = buffers_[which_];
    lead_ = lead;
    which_ = 1 - which_;
  }

 private:
  std::string_view text_;
  std::size_t lead_;
  std::string buffers_[2];
  std::size_t which_ = 0;
};

}  // namespace tokenizers::hf
