#include "token_trie.hpp"

#include <algorithm>
#include <utility>

namespace tokenizers {

token_trie::token_trie(std::vector<word> words) : words_(std::move(words)) {
  if (words_.empty()) return;
  std::ranges::sort(words_);
  const auto rest = std::ranges::unique(words_, {}, &word::content);
  words_.erase(rest.begin(), rest.end());
  for (const word& it : words_)
    first_bytes_.set(static_cast<unsigned char>(it.content.front()));

  // The trie is built level by level, so that the children of a node are adjacent. The words of a
  // stretch of the sorted words share their first `depth` bytes.
  struct stretch {
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };
  std::vector<stretch> stretches = {{0, words_.size(), 0}};
  nodes_.emplace_back();
  labels_.push_back(0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    auto [begin, end, depth] = stretches[n];
    if (words_[begin].content.size() == depth) nodes_[n].ends = static_cast<std::uint32_t>(begin++);
    if (end - begin == 1) {
      nodes_[n].only = static_cast<std::uint32_t>(begin);
      continue;
    }
    nodes_[n].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (begin < end) {
      const char label = words_[begin].content[depth];
      std::size_t next = begin;
      while (next < end && words_[next].content[depth] == label)
        ++next;
      stretches.push_back({begin, next, depth + 1});
      nodes_.emplace_back();
      labels_.push_back(label);
      ++nodes_[n].children;
      begin = next;
    }
  }
}

std::size_t token_trie::find_first_byte(std::string_view text, std::size_t from) const {
  if (first_bytes_.count() == 1) {
    const std::size_t at = text.find(words_.front().content.front(), from);
    return std::min(at, text.size());
  }
  std::size_t at = from;
  while (at < text.size() && !first_bytes_[static_cast<unsigned char>(text[at])])
    ++at;
  return at;
}

std::uint32_t token_trie::longest_at(std::string_view text) const {
  std::uint32_t longest = none;
  std::uint32_t n = 0;
  for (std::size_t depth = 0;; ++depth) {
    const trie_node& now = nodes_[n];
    if (now.ends != none) longest = now.ends;
    if (now.only != none) {
      const std::string_view rest = std::string_view(words_[now.only].content).substr(depth);
      return text.substr(depth).starts_with(rest) ? now.only : longest;
    }
    if (depth == text.size()) return longest;
    const std::string_view labels(labels_.data() + now.first_child, now.children);
    const std::size_t child = labels.find(text[depth]);
    if (child == std::string_view::npos) return longest;
    n = now.first_child + static_cast<std::uint32_t>(child);
  }
}

std::optional<token_trie::match> token_trie::find(std::string_view text, std::size_t from) const {
  if (words_.empty()) return std::nullopt;
  for (std::size_t at = from; (at = find_first_byte(text, at)) < text.size(); ++at) {
    const std::uint32_t longest = longest_at(text.substr(at));
    if (longest == none) continue;
    const word& it = words_[longest];
    return match{at, at + it.content.size(), it.value};
  }
  return std::nullopt;
}

}  // namespace tokenizers
