// The encodings that .tiktoken files are known by: a file holds neither the pattern that texts are
// cut with nor the special tokens.
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

/// By name; null where there is none.
[[nodiscard]] const encoding* find_encoding(std::string_view name);
/// By a name within that of the file, else by the number of its tokens; null where neither tells.
[[nodiscard]] const encoding* guess_encoding(std::string_view file, std::size_t tokens);
/// "gpt2, r50k_base, ..."
[[nodiscard]] std::string encoding_names();

/// Texts and ids that it adds to its file. What a model's configuration says goes before them.
[[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> special_tokens_of(
    const encoding& it);

}  // namespace tokenizers::tiktoken
