// SentencePiece's compiled rules: a double-array trie whose values are offsets into a text of
// replacements, each ended by a zero byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// Immutable: [any] thread. Never reads outside the file's data, whatever they are.
class charsmap {
 public:
  /// `from`: the string in base64. Throws ifb::failure naming the path.
  explicit charsmap(const node& from);

  /// The replacement of the shortest rule that `text` begins with. Lives as long as this.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view text) const;
  /// The same for one character of ASCII.
  [[nodiscard]] const std::optional<std::string_view>& find_ascii(unsigned char c) const {
    return ascii_[c];
  }

 private:
  std::vector<std::uint32_t> units_;
  std::string replacements_;
  std::array<std::optional<std::string_view>, 0x80> ascii_;
};

/// Appends the bytes of `text`; false if it is no base64.
bool append_base64(std::string& to, std::string_view text);

}  // namespace tokenizers::hf
