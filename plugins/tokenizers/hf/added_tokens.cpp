#include "added_tokens.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <inferbench/guard.hpp>

#include "byte_alphabet.hpp"
#include "characters.hpp"
#include "draft.hpp"
#include "normalizer.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

/// Smaller ids are looked up in a list. A hostile file may have higher ids.
constexpr std::uint32_t dense_ids = 1U << 21U;
constexpr std::uint32_t highest_id_of_all = std::numeric_limits<std::uint32_t>::max();

bool ends_in_word(std::string_view text) {
  return !text.empty() && is_word(character_before(text, text.size()).code);
}
bool begins_with_word(std::string_view text) {
  return !text.empty() && is_word(character_at(text, 0).code);
}

std::size_t space_begin(std::string_view text, std::size_t end, std::size_t lowest) {
  while (end > lowest) {
    const utf8_character c = character_before(text, end);
    if (!is_white_space(c.code)) break;
    end -= c.size;
  }
  return end;
}
std::size_t space_end(std::string_view text, std::size_t begin) {
  while (begin < text.size()) {
    const utf8_character c = character_at(text, begin);
    if (!is_white_space(c.code)) break;
    begin += c.size;
  }
  return begin;
}

}  // namespace

added_token read_added_token(const node& from) {
  added_token out;
  out.content = from.at("content").text();
  out.single_word = from.at("single_word").boolean();
  out.lstrip = from.at("lstrip").boolean();
  out.rstrip = from.at("rstrip").boolean();
  out.normalized = from.at("normalized").boolean();
  out.special = from.at("special").boolean();
  return out;
}

void added_tokens::add(added_token token, const model& vocabulary) {
  if (token.content.empty() || by_content_.contains(token.content)) return;
  const auto known = vocabulary.id_of(token.content);
  const auto size = static_cast<std::uint32_t>(vocabulary.size());
  if (!known && max_id_ == highest_id_of_all)
    throw ifb::failure(IFB_E_CONFIG, "tokenizer.json: no id is left for the added token \"" +
                                         token.content + "\", because another one has the id " +
                                         std::to_string(highest_id_of_all) +
                                         ", the highest possible id");
  const std::uint32_t id = known ? *known : max_id_ && *max_id_ >= size ? *max_id_ + 1 : size;
  if (!known) ++beyond_;
  max_id_ = std::max(max_id_.value_or(id), id);
  const auto index = static_cast<std::uint32_t>(entries_.size());
  by_content_.emplace(token.content, index);
  if (id < dense_ids) {
    if (by_id_.size() <= id) by_id_.resize(std::size_t{id} + 1);
    by_id_[id] = index + 1;
  } else {
    by_high_id_[id] = index;
  }
  if (token.special) special_ids_.insert(std::ranges::lower_bound(special_ids_, id), id);
  entries_.push_back({std::move(token), id, {}});
}

void added_tokens::build(const normalizer* through) {
  std::vector<token_trie::word> raw;
  std::vector<token_trie::word> normalized;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    entry& it = entries_[i];
    it.spelled.text = it.token.content;
    if (!it.token.normalized) {
      raw.push_back({it.token.content, i});
      continue;
    }
    draft content(it.token.content, 0);
    if (through != nullptr) through->apply(content);
    it.spelled.text = content.text();
    if (!it.spelled.text.empty()) normalized.push_back({it.spelled.text, i});
  }
  for (entry& it : entries_) {
    if (!append_bytes(it.spelled.bytes, it.spelled.text)) it.spelled.bytes = it.spelled.text;
    const auto same = by_content_.find(it.spelled.text);
    it.spelled.special = same != by_content_.end() && entries_[same->second].token.special;
  }
  raw_ = token_trie(std::move(raw));
  normalized_ = token_trie(std::move(normalized));
}

std::optional<added_tokens::token_match> added_tokens::next(const token_trie& among,
                                                            std::string_view text,
                                                            progress& now) const {
  while (const auto match = among.find(text, now.searched)) {
    now.searched = match->end;
    const entry& it = entries_[match->value];
    if (it.token.single_word &&
        (ends_in_word(text.substr(0, match->begin)) || begins_with_word(text.substr(match->end))))
      continue;
    token_match out{it.id, match->begin, match->end};
    if (it.token.lstrip) out.begin = std::max(space_begin(text, out.begin, now.done), now.done);
    if (it.token.rstrip) {
      // Several tokens in a stretch of white space may include that white space. It is measured
      // only once.
      if (out.end < now.space_begin || out.end > now.space_end) {
        now.space_begin = out.end;
        now.space_end = space_end(text, out.end);
      }
      out.end = now.space_end;
    }
    if (out.begin < out.end) return out;
    now.done = out.end;  // the previous token already included all of its white space
  }
  return std::nullopt;
}

std::optional<std::uint32_t> added_tokens::id_of(std::string_view content) const {
  const auto it = by_content_.find(content);
  if (it == by_content_.end()) return std::nullopt;
  return entries_[it->second].id;
}

const added_tokens::spelling* added_tokens::spelling_of_high(std::uint32_t id) const noexcept {
  const auto it = by_high_id_.find(id);
  return it == by_high_id_.end() ? nullptr : &entries_[it->second].spelled;
}

}  // namespace tokenizers::hf
