#include "word_level.hpp"

namespace tokenizers::hf {

word_level::word_level(const node& from)
    : vocabulary_model(vocabulary(from.at("vocab"))),
      unknown_(tokens().id_of(from.text("unk_token", "<unk>"))) {}

void word_level::encode(std::string_view piece, std::vector<std::uint32_t>& ids) const {
  const auto id = tokens().id_of(piece);
  if (id)
    ids.push_back(*id);
  else if (unknown_)
    ids.push_back(*unknown_);
}

}  // namespace tokenizers::hf
