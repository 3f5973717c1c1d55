#include "bpe.hpp"

#include <algorithm>

#include "byte_alphabet.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

constexpr std::string_view space = "▁";  // SentencePiece's character for a space
// With more exceptions, looking them up would cost more than the cuts save.
constexpr std::size_t most_exceptions = 32;

std::string spelled(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const byte_spelling& to = spell(static_cast<unsigned char>(c));
    out.append(to.text, to.size);
  }
  return out;
}

/// The two tokens of an element of "merges": "a b" or ["a", "b"].
struct halves {
  std::string_view left;
  std::string_view right;
};

halves read_halves(const node& list, std::size_t index) {
  const rapidjson::Value& value = list.value()[static_cast<rapidjson::SizeType>(index)];
  if (value.IsString()) {
    const std::string_view both(value.GetString(), value.GetStringLength());
    const auto at = both.find(' ');
    if (at == std::string_view::npos || both.find(' ', at + 1) != std::string_view::npos)
      list.at(index).fail("expected two tokens with a space between them");
    return {both.substr(0, at), both.substr(at + 1)};
  }
  if (!value.IsArray() || value.Size() != 2) list.at(index).fail("expected two tokens");
  const node pair = list.at(index);
  return {pair.at(std::size_t{0}).text(), pair.at(std::size_t{1}).text()};
}

bool is_version_line(const rapidjson::Value& value) {
  return value.IsString() &&
         std::string_view(value.GetString(), value.GetStringLength()).starts_with("#version");
}

}  // namespace

bpe::bpe(const node& from, alphabet pieces)
    : vocabulary_model(vocabulary(from.at("vocab"))),
      pieces_(pieces),
      ignore_merges_(from.boolean("ignore_merges", false)),
      fuse_unknown_(from.boolean("fuse_unk", false)),
      prefix_(from.text("continuing_subword_prefix", "")),
      suffix_(from.text("end_of_word_suffix", "")),
      characters_(tokens()) {
  if (const auto unknown = from.find("unk_token")) unknown_ = tokens().id_of(unknown->text());
  if (from.boolean("byte_fallback", false)) bytes_ = byte_tokens(tokens());
  const node list = from.at("merges");
  read_merges(list);
  if (!prefix_.empty() || !suffix_.empty()) return;
  if (pieces_ == alphabet::text)
    find_cuts(list);
  else
    find_byte_ids();
}

void bpe::find_byte_ids() {
  std::array<std::uint32_t, 256> ids{};
  for (std::size_t byte = 0; byte < ids.size(); ++byte) {
    const byte_spelling& text = hf::spell(static_cast<unsigned char>(byte));
    ids[byte] = characters_.of(character_at({text.text, text.size}, 0).code);
    if (ids[byte] == character_ids::none) return;
  }
  byte_ids_ = ids;
}

void bpe::read_merges(const node& list) {
  const std::size_t count = list.size();
  if (count >= merge_table::none) list.fail("too many");
  merges_.reserve(count);
  const auto id_of = [&](std::size_t index, std::string_view token) {
    const auto id = tokens().id_of(token);
    if (!id) list.at(index).fail("\"" + std::string(token) + "\" is not in the vocabulary");
    return *id;
  };
  std::string whole;
  std::uint32_t rank = 0;
  // Ids usually increase by one from merge to merge, so most lookups can be left out.
  std::uint32_t expected = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_version_line(list.value()[static_cast<rapidjson::SizeType>(i)])) continue;
    const auto [left, right] = read_halves(list, i);
    whole.assign(left);
    whole += right.substr(std::min(right.size(), prefix_.size()));
    const auto guess = tokens().token_of(expected);
    const std::uint32_t id = guess && *guess == whole ? expected : id_of(i, whole);
    merges_.add(id_of(i, left), id_of(i, right), {rank, id});
    expected = id + 1;
    ++rank;
  }
}

void bpe::find_cuts(const node& list) {
  if (characters_.of(character_at(space, 0).code) == character_ids::none) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (is_version_line(list.value()[static_cast<rapidjson::SizeType>(i)])) continue;
    const auto [left, right] = read_halves(list, i);
    if (!right.starts_with(space) || left.ends_with(space) || left.empty()) continue;
    const char32_t before = character_before(left, left.size()).code;
    if (std::ranges::find(no_cut_after_, before) != no_cut_after_.end()) continue;
    if (no_cut_after_.size() == most_exceptions) return;
    no_cut_after_.push_back(before);
  }
  cuts_ = true;
}

std::size_t bpe::cut(std::string_view piece, std::size_t from) const {
  for (std::size_t at = from + 1;; ++at) {
    at = piece.find(space, at);
    if (at == std::string_view::npos) return piece.size();
    if (piece.substr(0, at).ends_with(space)) continue;
    if (no_cut_after_.empty()) return at;
    const char32_t before = character_before(piece, at).code;
    if (std::ranges::find(no_cut_after_, before) == no_cut_after_.end()) return at;
  }
}

void bpe::finish() {
  if (pieces_ == alphabet::bytes) whole_ = byte_vocabulary(tokens());
}

void bpe::encode_all(std::span<const std::string_view> pieces, ids_type& ids) const {
  if (!byte_ids_ || whole_.empty()) return model::encode_all(pieces, ids);
  auto cache = cache_.take();
  std::array<std::uint64_t, 16> hashes;
  while (!pieces.empty()) {
    // All slots are prefetched before the first slot is read.
    const auto some = pieces.first(std::min(pieces.size(), hashes.size()));
    for (std::size_t i = 0; i < some.size(); ++i) {
      hashes[i] = hash_of(some[i]);
      whole_.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < some.size(); ++i)
      encode_bytes(some[i], hashes[i], cache, ids);
    pieces = pieces.subspan(some.size());
  }
}

void bpe::encode_bytes(std::string_view piece, std::uint64_t hash, word_cache::lease& cache,
                       ids_type& ids) const {
  auto* const token = whole_.find(piece, hash);
  if (token != nullptr && ignore_merges_) return ids.push_back(token->id());
  encode_stretch(piece, hash, token, cache, ids);
}

void bpe::encode_stretch(std::string_view piece, std::uint64_t hash, byte_vocabulary::entry* token,
                         word_cache::lease& cache, ids_type& ids) const {
  using fate = byte_vocabulary::fate;
  if (token == nullptr || token->becomes() == fate::others)
    return cache.append(piece, hash, ids, [&] { merge_stretches(piece, cache, ids); });
  if (token->becomes() == fate::itself) return ids.push_back(token->id());
  const std::size_t before = ids.size();
  merge_stretches(piece, cache, ids);
  const bool whole = ids.size() == before + 1 && ids.back() == token->id();
  token->settle(whole ? fate::itself : fate::others);
}

void bpe::merge_stretches(std::string_view piece, word_cache::lease& cache, ids_type& ids) const {
  std::size_t end = whole_.cuts().first(piece);
  if (end == piece.size()) return merge_bytes(piece, ids);
  for (;; end = whole_.cuts().first(piece)) {
    const std::string_view stretch = piece.substr(0, end);
    const auto hash = hash_of(stretch);
    encode_stretch(stretch, hash, whole_.find(stretch, hash), cache, ids);
    if (end == piece.size()) return;
    piece.remove_prefix(end);
  }
}

void bpe::encode(std::string_view piece, ids_type& ids) const {
  auto cache = cache_.take();
  const auto hash = hash_of(piece);
  if (byte_ids_ && !whole_.empty() && !piece.empty()) return encode_bytes(piece, hash, cache, ids);
  if (!cuts_) return cache.append(piece, hash, ids, [&] { encode_anew(piece, ids); });
  if (ignore_merges_) {
    if (const auto id = tokens().id_of(piece)) return ids.push_back(*id);
  }
  for (std::size_t from = 0; from < piece.size();) {
    const std::size_t end = cut(piece, from);
    const std::string_view stretch = piece.substr(from, end - from);
    cache.append(stretch, hash_of(stretch), ids, [&] { merge_text(stretch, ids); });
    from = end;
  }
}

void bpe::encode_anew(std::string_view piece, ids_type& ids) const {
  if (byte_ids_) return merge_bytes(piece, ids);
  const std::string text = pieces_ == alphabet::bytes ? spelled(piece) : std::string();
  const std::string_view given = pieces_ == alphabet::bytes ? std::string_view(text) : piece;
  if (ignore_merges_) {
    if (const auto id = tokens().id_of(given)) return ids.push_back(*id);
  }
  merge_text(given, ids);
}

std::optional<std::uint32_t> bpe::id_of_bytes(std::string_view piece) const {
  std::array<char, 128> text;
  if (piece.size() * 2 > text.size()) return tokens().id_of(spelled(piece));
  std::size_t size = 0;
  for (const char c : piece) {
    const byte_spelling& to = hf::spell(static_cast<unsigned char>(c));
    text[size] = to.text[0];
    text[size + 1] = to.text[1];
    size += to.size;
  }
  return tokens().id_of({text.data(), size});
}

void bpe::merge_bytes(std::string_view piece, ids_type& ids) const {
  if (ignore_merges_ && whole_.empty() && piece.size() <= tokens().longest()) {
    if (const auto id = id_of_bytes(piece)) return ids.push_back(*id);
  }
  const std::size_t before = ids.size();
  ids.resize(before + piece.size());
  std::ranges::transform(piece, ids.begin() + static_cast<std::ptrdiff_t>(before),
                         [&](char c) { return (*byte_ids_)[static_cast<unsigned char>(c)]; });
  merge_all(merges_, ids, before);
}

void bpe::merge_text(std::string_view piece, ids_type& ids) const {
  const std::size_t before = ids.size();
  spell(piece, ids);
  merge_all(merges_, ids, before);
}

void bpe::spell(std::string_view text, ids_type& ids) const {
  const bool plain = prefix_.empty() && suffix_.empty();
  bool pending = false;  // an unknown token is pending; the next known token makes it final
  std::string affixed;
  for (std::size_t at = 0; at < text.size();) {
    const utf8_character c = character_at(text, at);
    std::string_view symbol = text.substr(at, c.size);
    std::uint32_t id = character_ids::none;
    if (plain) {
      id = characters_.of(c.code);
    } else {
      affixed.assign(at > 0 ? prefix_ : "");
      affixed += symbol;
      if (at + c.size == text.size()) affixed += suffix_;
      symbol = affixed;
      id = tokens().id_of(symbol).value_or(character_ids::none);
    }
    at += c.size;
    if (id != character_ids::none) {
      if (pending) ids.push_back(*unknown_);
      pending = false;
      ids.push_back(id);
      continue;
    }
    // Like in the reference, the tokens for bytes are added before a pending unknown token.
    if (bytes_.append(symbol, ids) || !unknown_) continue;
    if (pending && !fuse_unknown_) ids.push_back(*unknown_);
    pending = true;
  }
  if (pending) ids.push_back(*unknown_);
}

}  // namespace tokenizers::hf
