#include "unigram.hpp"

#include <algorithm>

#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

// Like in the reference, an unknown character has a score that is this penalty below the lowest
// score.
constexpr double penalty = 10.0;
constexpr std::uint32_t no_id = 0xFFFFFFFF;

/// The best spelling of the text up to the end of a character.
struct step {
  double score = 0;
  std::uint32_t id = 0;
  std::uint32_t length = 0;  // bytes of the last token; 0: there is no spelling yet
};

struct part {
  std::string_view text;
  std::uint32_t id = 0;
};

vocabulary read_tokens(const node& list) {
  vocabulary out;
  const std::size_t count = list.size();
  out.reserve(count, count * 8);
  for (std::size_t i = 0; i < count; ++i) {
    const node pair = list.at(i);
    if (pair.size() != 2) pair.fail("expected a token and its score");
    out.add_another(pair.at(std::size_t{0}).text(), static_cast<std::uint32_t>(i));
  }
  out.finish();
  return out;
}

}  // namespace

unigram::unigram(const node& from) : vocabulary_model(read_tokens(from.at("vocab"))) {
  const node list = from.at("vocab");
  const std::size_t count = list.size();
  if (const auto unknown = from.find("unk_id")) {
    unknown_ = unknown->u32();
    if (*unknown_ >= count) unknown->fail("there is no such token");
  }
  scores_.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    scores_.push_back(list.at(i).at(std::size_t{1}).number());
  if (count > 0) score_of_unknown_ = std::ranges::min(scores_) - penalty;
  if (from.boolean("byte_fallback", false)) bytes_ = byte_tokens(tokens());
}

void unigram::finish() {
  std::vector<trie::entry> entries;
  entries.reserve(tokens().size());
  tokens().for_each(
      [&](std::string_view token, std::uint32_t id) { entries.push_back({token, id}); });
  trie_ = trie(std::move(entries));
}

void unigram::encode(std::string_view piece, std::vector<std::uint32_t>& ids) const {
  cache_.take().append(piece, hash_of(piece), ids, [&] { encode_anew(piece, ids); });
}

void unigram::encode_anew(std::string_view piece, std::vector<std::uint32_t>& ids) const {
  thread_local std::vector<step> best;
  best.assign(piece.size() + 1, step());
  const auto offer = [&](std::size_t from, std::size_t size, double score, std::uint32_t id) {
    step& to = best[from + size];
    const double whole = score + best[from].score;
    if (to.length == 0 || whole > to.score) to = {whole, id, static_cast<std::uint32_t>(size)};
  };
  const std::uint32_t unknown = unknown_.value_or(no_id);
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t character = character_at(piece, at).size;
    bool known = false;
    trie_.for_each_prefix(piece.substr(at), [&](const trie::match& found) {
      offer(at, found.size, scores_[found.value], found.value);
      known = known || found.size == character;
    });
    if (!known) offer(at, character, score_of_unknown_, unknown);
    at += character;
  }
  // The tokens are collected from the end to the beginning. Neighbouring unknown parts become one
  // part.
  thread_local std::vector<part> parts;
  parts.clear();
  for (std::size_t end = piece.size(); end > 0;) {
    std::size_t begin = end - best[end].length;
    const std::uint32_t id = best[end].id;
    if (id == unknown)
      while (begin > 0 && best[begin].id == unknown)
        begin -= best[begin].length;
    parts.push_back({piece.substr(begin, end - begin), id});
    end = begin;
  }
  for (auto it = parts.rbegin(); it != parts.rend(); ++it) {
    if (it->id != unknown)
      ids.push_back(it->id);
    else
      append_unknown(it->text, ids);
  }
  // Long pieces are rare, so their memory is freed.
  constexpr std::size_t kept = 65'536;
  if (best.capacity() > kept) std::vector<step>().swap(best);
  if (parts.capacity() > kept) std::vector<part>().swap(parts);
}

void unigram::append_unknown(std::string_view part, std::vector<std::uint32_t>& ids) const {
  if (const auto id = tokens().id_of(part)) {
    ids.push_back(*id);
    return;
  }
  if (!bytes_.append(part, ids) && unknown_) ids.push_back(*unknown_);
}

}  // namespace tokenizers::hf
