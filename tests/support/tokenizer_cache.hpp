// The folder with the files of real tokenizers, which are not part of the repository.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace inferbench::support {

/// tests/tools/fetch_tokenizers creates a subfolder for each tokenizer here.
inline std::filesystem::path tokenizer_cache() {
  const char* const set = std::getenv("INFERBENCH_TOKENIZER_CACHE");
  if (set != nullptr && *set != '\0') return set;
  return std::filesystem::path(INFERBENCH_BINARY).parent_path().parent_path() / "tokenizers";
}

}  // namespace inferbench::support
