// The known encodings of .tiktoken files. A file contains neither the pattern that cuts texts nor
// the special tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tokenizers::tiktoken {

struct encoding {
  std::string_view name;
  std::string_view pattern;
  /// The number of tokens in the encoding's file.
  std::size_t tokens;
};

/// Returns the encoding with this name, or null.
[[nodiscard]] const encoding* find_encoding(std::string_view name);
/// Returns the encoding whose name is a part of the file's name; otherwise the encoding with this
/// number of tokens; otherwise null.
[[nodiscard]] const encoding* guess_encoding(std::string_view file, std::size_t tokens);
/// Returns the names as a list: "gpt2, r50k_base, ...".
[[nodiscard]] std::string encoding_names();

/// Returns the special tokens of an encoding and their ids. A model's configuration overrides them.
[[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> special_tokens_of(
    const encoding& it);

}  // namespace tokenizers::tiktoken
