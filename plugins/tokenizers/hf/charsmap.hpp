// SentencePiece's compiled rules: a double-array trie. Its values are offsets into a text of
// replacements. Each replacement ends with a zero byte.
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

/// Immutable: [any thread]. Never reads outside the file's data, whatever the data are.
class charsmap {
 public:
  /// `from` is the string in base64. Throws ifb::failure that names the path.
  explicit charsmap(const node& from);

  /// Returns the replacement of the shortest rule with which `text` begins. The result lives as
  /// long as this object.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view text) const;
  /// Like find(), for one ASCII character.
  [[nodiscard]] const std::optional<std::string_view>& find_ascii(unsigned char c) const {
    return ascii_[c];
  }

 private:
  std::vector<std::uint32_t> units_;
  std::string replacements_;
  std::array<std::optional<std::string_view>, 0x80> ascii_;
};

/// Appends the decoded bytes of `text`; returns false if it is not valid base64.
bool append_base64(std::string& to, std::string_view text);

}  // namespace tokenizers::hf
