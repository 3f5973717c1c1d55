#include "splitter.hpp"

#include <utility>

#include "tokenizers/common/characters.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::spm {

namespace {

/// Python's str.isspace(). It accepts four control characters that Unicode does not count as white
/// space.
bool is_space(char32_t c) {
  static const character_table& kinds = character_table::get();
  return (kinds.kind_of(c) & is::space) != 0 || (c >= 0x1C && c <= 0x1F);
}

void strip_begin(std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto c = character_at(text, at);
    if (!is_space(c.code)) break;
    at += c.size;
  }
  text.erase(0, at);
}

void strip_end(std::string& text) {
  while (!text.empty()) {
    const auto c = character_before(text, text.size());
    if (!is_space(c.code)) break;
    text.resize(text.size() - c.size);
  }
}

}  // namespace

splitter::splitter(std::vector<known_token> tokens) : tokens_(std::move(tokens)) {
  std::vector<token_trie::word> words;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const known_token& each = tokens_[i];
    by_content_.try_emplace(each.token.content, &each);
    by_id_.try_emplace(each.id, &each);
    if (!each.token.content.empty())
      words.push_back({each.token.content, static_cast<std::uint32_t>(i)});
  }
  trie_ = token_trie(std::move(words));
}

std::vector<splitter::part> splitter::split(std::string_view text) const {
  std::vector<part> parts;
  std::size_t from = 0;
  while (const auto found = trie_.find(text, from)) {
    if (found->begin > from) parts.push_back({std::string(text.substr(from, found->begin - from))});
    parts.push_back({std::string(text.substr(found->begin, found->end - found->begin)),
                     &tokens_[found->value]});
    from = found->end;
  }
  if (from < text.size()) parts.push_back({std::string(text.substr(from))});

  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].token == nullptr) continue;
    const added_token& token = parts[i].token->token;
    std::string* const left = i == 0 ? nullptr : &parts[i - 1].text;
    std::string* const right = i + 1 == parts.size() ? nullptr : &parts[i + 1].text;
    if (token.rstrip && right != nullptr) strip_begin(*right);
    if (token.lstrip && left != nullptr) strip_end(*left);
    if (!token.single_word) continue;
    if (left != nullptr && !left->empty() && left->back() != ' ') {
      *left += parts[i].text;
      parts[i - 1].token = find(*left);
      parts[i] = {};
    } else if (right != nullptr && !right->empty() && right->front() != ' ') {
      right->insert(0, parts[i].text);
      parts[i + 1].token = find(*right);
      parts[i] = {};
    }
  }
  std::erase_if(parts, [](const part& each) { return each.text.empty(); });
  return parts;
}

const known_token* splitter::find(std::string_view content) const {
  const auto at = by_content_.find(content);
  return at == by_content_.end() ? nullptr : at->second;
}

const known_token* splitter::find(std::uint32_t id) const {
  const auto at = by_id_.find(id);
  return at == by_id_.end() ? nullptr : at->second;
}

}  // namespace tokenizers::spm
