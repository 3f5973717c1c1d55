// SentencePiece's compiled rules for the normalization of text ("precompiled_charsmap"): a
// double-array trie in the format of the library Darts. The values of the trie are offsets into a
// text of replacements. Each replacement ends with a zero byte.
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

/// Immutable; any thread may use it. Damaged data never cause a read outside of the data.
class charsmap {
 public:
  /// `from` is a JSON string with the rules in base64. Throws ifb::failure that names the JSON path
  /// if the string is not base64, or its content is not a table of rules.
  explicit charsmap(const node& from);
  charsmap(const charsmap&) = delete;  // ascii_ points into replacements_
  charsmap& operator=(const charsmap&) = delete;

  /// Returns the replacement of the shortest rule whose characters are a prefix of `text`; nullopt
  /// if there is none. The result is valid as long as this object.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view text) const;
  /// Like find(), for one ASCII character (below 0x80).
  [[nodiscard]] const std::optional<std::string_view>& find_ascii(unsigned char c) const {
    return ascii_[c];
  }

 private:
  std::vector<std::uint32_t> units_;  // the nodes of the trie; never empty
  std::string replacements_;
  std::array<std::optional<std::string_view>, 0x80> ascii_;  // the results of find()
};

/// Appends the decoded bytes of `text` to `to`. Returns false if `text` is not valid base64; `to`
/// may then have a part of the bytes.
bool append_base64(std::string& to, std::string_view text);

}  // namespace tokenizers::hf
