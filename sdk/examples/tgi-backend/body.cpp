#include "body.hpp"

#include <inferbench/guard.hpp>

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Returns the position of the first `wanted` outside strings and brackets, or the end of `text`.
std::size_t find_outside(std::string_view text, char wanted) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (depth == 0 && c == wanted) return i;
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
  }
  return text.size();
}

}  // namespace

json_members::json_members(std::string_view object, std::string_view option) {
  std::string_view rest = trimmed(object);
  if (rest.empty()) return;
  if (rest.front() != '{' || rest.back() != '}')
    throw ifb::failure{IFB_E_CONFIG, "expected a table", std::string{option}};
  rest = trimmed(rest.substr(1, rest.size() - 2));
  while (!rest.empty()) {
    const std::string_view member = rest.substr(0, find_outside(rest, ','));
    rest.remove_prefix(member.size());
    if (!rest.empty()) rest.remove_prefix(1);
    const auto colon = find_outside(member, ':');
    if (colon == member.size())
      throw ifb::failure{IFB_E_CONFIG, "expected a table", std::string{option}};
    set(trimmed(member.substr(0, colon)), trimmed(member.substr(colon + 1)));
  }
}

void json_members::set(std::string_view key, std::string_view value) {
  for (auto& member : members_) {
    if (member.first == key) {
      member.second = value;
      return;
    }
  }
  members_.emplace_back(key, value);
}

void json_members::lay_over(const json_members& others) {
  for (const auto& [key, value] : others.members_)
    set(key, value);
}

std::string json_members::text() const {
  std::string out = "{";
  for (const auto& [key, value] : members_) {
    if (out.size() > 1) out += ", ";
    out += key;
    out += ": ";
    out += value;
  }
  return out += "}";
}
