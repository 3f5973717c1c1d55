// The known encodings of .tiktoken files. A file holds neither the pattern that cuts texts nor the
// special tokens.
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
  /// Tokens of its file.
  std::size_t tokens;
};

/// The encoding of that name, or null.
[[nodiscard]] const encoding* find_encoding(std::string_view name);
/// The encoding whose name is in the file's name, else the one with that number of tokens, or null.
[[nodiscard]] const encoding* guess_encoding(std::string_view file, std::size_t tokens);
/// "gpt2, r50k_base, ..."
[[nodiscard]] std::string encoding_names();

/// The special tokens of an encoding and their ids. A model's configuration overrides them.
[[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> special_tokens_of(
    const encoding& it);

}  // namespace tokenizers::tiktoken
