// The pieces into which a pre-tokenizer cuts a text. They are passed on one by one and not as a
// list.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tokenizers::hf {

/// The range of characters of the original text from which a byte came.
struct extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Valid only during the call that receives it.
struct piece {
  std::string_view text;
  /// The number of bytes at the beginning that come from the first character of the original text.
  /// If a normalizer made several characters from it, several pieces can have such bytes.
  std::size_t lead = 0;
  /// One extent for each byte; null if extents are not needed.
  const extent* from = nullptr;

  [[nodiscard]] piece part(std::size_t begin, std::size_t end) const noexcept {
    return {text.substr(begin, end - begin), lead - std::min(lead, begin),
            from == nullptr ? nullptr : from + begin};
  }
};

class piece_sink {
 public:
  virtual void take(const piece& it) = 0;

 protected:
  piece_sink() = default;
  ~piece_sink() = default;
  piece_sink(const piece_sink&) = default;
  piece_sink& operator=(const piece_sink&) = default;
};

/// Memory for a piece that gets a new spelling. It is on the stack, except for long pieces. [one
/// thread]
class piece_buffer {
 public:
  /// Returns at least `size` bytes for writing; earlier content is lost.
  [[nodiscard]] char* room(std::size_t size) {
    if (size <= short_.size()) return short_.data();
    long_.resize(size);
    return long_.data();
  }
  /// One extent for each byte.
  std::vector<extent> from;

 private:
  std::array<char, 256> short_;
  std::string long_;
};

}  // namespace tokenizers::hf
