#include "wordpiece.hpp"

#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

wordpiece::wordpiece(const node& from)
    : vocabulary_model(vocabulary(from.at("vocab"))),
      unknown_(tokens().id_of(from.text("unk_token", "[UNK]"))),
      most_characters_(from.u32("max_input_chars_per_word", 100)),
      prefix_(from.text("continuing_subword_prefix", "##")) {}

void wordpiece::finish() {
  std::vector<trie::entry> later;
  tokens().for_each([&](std::string_view token, std::uint32_t id) {
    if (token.starts_with(prefix_)) later.push_back({token.substr(prefix_.size()), id});
  });
  later_ = trie(std::move(later));
  std::vector<trie::entry> first;
  first.reserve(tokens().size());
  tokens().for_each(
      [&](std::string_view token, std::uint32_t id) { first.push_back({token, id}); });
  first_ = trie(std::move(first));
}

void wordpiece::encode(std::string_view piece, std::vector<std::uint32_t>& ids) const {
  const std::size_t before = ids.size();
  // Only very long pieces are so long that their characters must be counted.
  bool fits = piece.size() <= most_characters_ || count_characters(piece) <= most_characters_;
  for (std::size_t at = 0; fits && at < piece.size();) {
    const auto found = (at == 0 ? first_ : later_).longest(piece.substr(at));
    fits = found.size > 0;
    if (fits) ids.push_back(found.value);
    at += found.size;
  }
  if (fits) return;
  ids.resize(before);
  if (unknown_) ids.push_back(*unknown_);
}

}  // namespace tokenizers::hf
