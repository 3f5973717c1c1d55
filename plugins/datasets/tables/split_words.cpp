#include "split_words.hpp"

#include <algorithm>

namespace tables {

const std::array<split_words, 3>& usual_splits() {
  static const std::array<split_words, 3> all{
      {{"train", {"train", "training"}},
       {"validation", {"validation", "valid", "dev", "val"}},
       {"test", {"test", "testing", "eval", "evaluation"}}}};
  return all;
}

bool has_word(std::string_view name, std::string_view word) {
  const auto separates = [](char c) {
    return std::string_view("-._ 0123456789").find(c) != std::string_view::npos;
  };
  for (std::size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || separates(name[at - 1])) && (end == name.size() || separates(name[end])))
      return true;
  }
  return false;
}

bool folder_has_word(std::string_view path, std::string_view word) {
  for (std::size_t from = 0, slash = path.find('/'); slash != path.npos;
       from = slash + 1, slash = path.find('/', from))
    if (has_word(path.substr(from, slash - from), word)) return true;
  return false;
}

std::string_view meaning_of(std::string_view word) {
  for (const auto& [split, keywords] : usual_splits())
    if (std::ranges::find(keywords, word) != keywords.end()) return split;
  return word;
}

}  // namespace tables
