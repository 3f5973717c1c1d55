#include "byte_vocabulary.hpp"

#include <utility>

#include "byte_alphabet.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

// An entry stores the id in 30 bits and uses two bits for the fate.
constexpr std::size_t most_ids = std::size_t{1} << 30U;

}  // namespace

byte_vocabulary::byte_vocabulary(const vocabulary& tokens) {
  const std::size_t ids = tokens.dense_ids();
  if (ids > most_ids || tokens.distinct_ids() != tokens.size()) return;
  pool_.reserve(tokens.bytes() + padding);
  begins_.reserve(ids + 1);
  const std::size_t slots = slots_for(tokens.size());
  entries_ = std::make_unique<entry[]>(slots);
  mask_ = slots - 1;
  cuts_ = byte_cuts(tokens.size());
  for (std::uint32_t id = 0; id < ids; ++id) {
    begins_.push_back(static_cast<std::uint32_t>(pool_.size()));
    const auto token = tokens.token_of(id);
    if (!token) continue;
    // If a token contains a character that does not spell a byte, no piece can become this token:
    // merges begin with bytes.
    if (!append_bytes(pool_, *token)) {
      pool_ += *token;
      continue;
    }
    const auto bytes = std::string_view(pool_).substr(begins_.back());
    put(bytes, id);
    cuts_.add(bytes);
  }
  begins_.push_back(static_cast<std::uint32_t>(pool_.size()));
  pool_.append(padding, '\0');
}

void byte_vocabulary::put(std::string_view bytes, std::uint32_t id) {
  if (bytes.empty()) return;
  const std::uint64_t hash = hash_of(bytes);
  std::size_t at = hash & mask_;
  while (entries_[at].size_ != 0)
    at = (at + 1) & mask_;
  entries_[at].key_ = key_of(bytes, hash);
  entries_[at].size_ = static_cast<std::uint32_t>(bytes.size());
  entries_[at].what_ = id << 2U;
}

std::string byte_text::take() && {
  bytes_.resize(size_);
  if (valid_prefix(bytes_) == size_) return std::move(bytes_);
  std::string out;
  out.reserve(size_ + size_ / 4);
  append_valid(out, bytes_);
  return out;
}

}  // namespace tokenizers::hf
