#include "special_tokens.hpp"

#include <algorithm>

namespace tokenizers::tiktoken {

special_tokens::special_tokens(const model_files::model_config& config, const encoding* known,
                               const ranks& base) {
  const auto wanted = config.to_add();
  const auto is_special = [&](const std::string& content) {
    const auto it = std::ranges::find(wanted, content, &added_token::content);
    return it == wanted.end() || it->special;
  };
  for (const auto& each : config.added)
    add(each.token.content, each.id, is_special(each.token.content));
  if (known != nullptr)
    for (const auto& [content, id] : special_tokens_of(*known))
      add(content, id, true);
  std::uint32_t next = base.highest() + 1;
  for (const auto& each : wanted) {
    if (by_content_.contains(each.content)) continue;
    if (const auto id = base.id_of(each.content)) {
      add(each.content, *id, each.special);
      continue;
    }
    while (tokens_.contains(next))
      ++next;
    add(each.content, next, each.special);
  }
  std::vector<token_trie::word> words;
  for (const auto& [id, it] : tokens_) {
    words.push_back({it.content, id});
    if (it.special) ids_.push_back(id);
    if (!base.bytes_of(id)) ++beyond_;
  }
  trie_ = token_trie(std::move(words));
}

void special_tokens::add(const std::string& content, std::uint32_t id, bool special) {
  if (content.empty() || by_content_.contains(content) || tokens_.contains(id)) return;
  by_content_.emplace(content, id);
  tokens_.emplace(id, token{content, special});
}

const special_tokens::token* special_tokens::find(std::uint32_t id) const {
  const auto it = tokens_.find(id);
  return it == tokens_.end() ? nullptr : &it->second;
}

std::optional<std::uint32_t> special_tokens::id_of(std::string_view content) const {
  const auto it = by_content_.find(content);
  if (it == by_content_.end()) return std::nullopt;
  return it->second;
}

}  // namespace tokenizers::tiktoken
