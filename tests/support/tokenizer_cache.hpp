// Where the files of real tokenizers lie, which are no part of the repository.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace inferbench::support {

/// tests/tools/fetch_tokenizers puts a folder for each of them here.
inline std::filesystem::path tokenizer_cache() {
  const char* const set = std::getenv("INFERBENCH_TOKENIZER_CACHE");
  if (set != nullptr && *set != '\0') return set;
  return std::filesystem::path(INFERBENCH_BINARY).parent_path().parent_path() / "tokenizers";
}

}  // namespace inferbench::support
