// The words in names of folders and files by which splits are recognised.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace tables {

struct split_words {
  std::string_view split;
  std::vector<std::string_view> keywords;
};

/// Returns train, validation and test, each with its synonyms.
[[nodiscard]] const std::array<split_words, 3>& usual_splits();

/// Returns whether the word occurs in the name with separators, or nothing, around it.
[[nodiscard]] bool has_word(std::string_view name, std::string_view word);
/// Returns whether the word occurs in the name of a folder of the path.
[[nodiscard]] bool folder_has_word(std::string_view path, std::string_view word);

/// Returns the usual split that a word means; the word itself if it means none.
[[nodiscard]] std::string_view meaning_of(std::string_view word);

}  // namespace tables
