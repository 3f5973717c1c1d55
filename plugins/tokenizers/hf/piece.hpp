// The pieces into which a pre-tokenizer cuts a text. They are handed on one by one, without a list.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tokenizers::hf {

/// The characters of the original text that a byte came from.
struct extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Valid until the call that receives it returns.
struct piece {
  std::string_view text;
  /// The number of bytes at the beginning that come from the first character of the original text.
  /// Several pieces can have such bytes, if a normalizer made several characters of one.
  std::size_t lead = 0;
  /// An extent for each byte; null if they are not wanted.
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

/// Room for a piece that is spelled anew: on the stack for all but long ones. [one thread]
class piece_buffer {
 public:
  /// At least `size` bytes to be written to; earlier content is lost.
  [[nodiscard]] char* room(std::size_t size) {
    if (size <= short_.size()) return short_.data();
    long_.resize(size);
    return long_.data();
  }
  /// An extent for each byte.
  std::vector<extent> from;

 private:
  std::array<char, 256> short_;
  std::string long_;
};

}  // namespace tokenizers::hf
