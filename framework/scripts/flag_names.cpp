#include "scripts/flag_names.hpp"

#include <algorithm>
#include <cstddef>

namespace inferbench::scripts {

namespace {

constexpr std::string_view dashes = "--";

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

}  // namespace

void flag_names::add(std::string inner, std::string own) {
  own_.insert_or_assign(std::move(inner), std::move(own));
}

void flag_names::keep(std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (!word.starts_with(dashes)) continue;
    std::string name = word.substr(dashes.size(), word.find('=') - dashes.size());
    std::ranges::replace(name, '_', '-');
    own_.erase(name);
  }
}

std::string flag_names::own(std::string_view flag) const {
  if (!flag.starts_with(dashes)) return std::string(flag);
  const auto at = own_.find(flag.substr(dashes.size()));
  return at == own_.end() ? std::string(flag) : std::string(dashes) + at->second;
}

std::string flag_names::in(std::string_view text) const {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find(dashes, at);
    if (begin == std::string_view::npos) break;
    std::size_t end = begin + dashes.size();
    while (end < text.size() && is_of_name(text[end]))
      ++end;
    out += text.substr(at, begin - at);
    // "a--b" is one word and no flag.
    const bool inside = begin > 0 && is_of_name(text[begin - 1]);
    const std::string_view word = text.substr(begin, end - begin);
    out += inside ? std::string(word) : own(word);
    at = end;
  }
  return out += text.substr(std::min(at, text.size()));
}

base::source_position flag_names::renamed(base::source_position where) const {
  where.file = own(where.file);
  return where;
}

}  // namespace inferbench::scripts
