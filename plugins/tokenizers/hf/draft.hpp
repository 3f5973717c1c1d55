// A text that normalizers change step by step. A step that changes nothing copies nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tokenizers::hf {

/// May be used by only one thread at a time.
class draft {
 public:
  /// `text` must outlive this object. `lead` is the number of bytes at the beginning that come from
  /// the first character of the original text (piece.hpp).
  draft(std::string_view text, std::size_t lead) noexcept : text_(text), lead_(lead) {}
  draft(const draft&) = delete;
  draft& operator=(const draft&) = delete;

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::size_t lead() const noexcept { return lead_; }

  /// Removes the bytes before `begin` and from `end` on.
  void narrow(std::size_t begin, std::size_t end) noexcept {
    text_ = text_.substr(begin, end - begin);
    lead_ = lead_ < begin ? 0 : lead_ - begin;
  }

  /// Returns an empty string for the next version. text() stays readable until take_next().
  [[nodiscard]] std::string& next() noexcept {
    std::string& to = buffers_[which_];
    to.clear();
    return to;
  }
  /// Replaces the text by the next version.
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
