#include "byte_cuts.hpp"

#include <algorithm>
#include <bit>

#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

constexpr std::size_t longest_character = 4;

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}
bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// The text on one side of the border between two bytes.
struct side {
  std::uint64_t character = 0;  // the character's bytes as a number
  bool whole = false;
};

std::size_t size_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC0) return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

side left_of(std::string_view text, std::size_t at) {
  std::size_t begin = at - 1;
  while (begin > 0 && at - begin < longest_character && continues(byte_at(text, begin)))
    --begin;
  return {load_bytes(text.data() + begin, at - begin),
          size_by_lead(byte_at(text, begin)) == at - begin};
}

side right_of(std::string_view text, std::size_t at) {
  const std::size_t size = size_by_lead(byte_at(text, at));
  if (size == 0 || size > text.size() - at) return {};
  for (std::size_t i = 1; i < size; ++i)
    if (!continues(byte_at(text, at + i))) return {};
  return {load_bytes(text.data() + at, size), true};
}

std::size_t bytes_beside(std::string_view text, std::size_t at) {
  return std::size_t{byte_at(text, at - 1)} << 8U | byte_at(text, at);
}

/// Returns the next offset at or after `at` at which a cut may be possible, or the end of the text.
/// The offset is between two characters, and at least one of them is not ASCII.
std::size_t next_place(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (byte_at(text, at - 1) < 0x80 && byte_at(text, at) < 0x80) {
      at += ascii_prefix(text.substr(at));
      if (at == text.size()) return at;
    }
    if (!continues(byte_at(text, at))) return at;
  }
  return text.size();
}

}  // namespace

byte_cuts::byte_cuts(std::size_t tokens) {
  const std::size_t bits = std::bit_ceil(std::max<std::size_t>(tokens * 4, 64));
  pairs_.resize(bits / 64);
  mask_ = bits - 1;
}

void byte_cuts::add(std::string_view token) {
  for (std::size_t at = 1; (at = next_place(token, at)) < token.size(); ++at) {
    const side left = left_of(token, at);
    const side right = right_of(token, at);
    if (left.whole && right.whole) {
      const std::size_t bit = bit_of(left.character, right.character);
      pairs_[bit / 64] |= std::uint64_t{1} << bit % 64;
    } else {
      parts_.set(bytes_beside(token, at));
    }
  }
}

std::size_t byte_cuts::first(std::string_view piece) const noexcept {
  if (pairs_.empty()) return piece.size();
  for (std::size_t at = 1; (at = next_place(piece, at)) < piece.size(); ++at) {
    if (parts_[bytes_beside(piece, at)]) continue;
    const side left = left_of(piece, at);
    const side right = right_of(piece, at);
    if (!left.whole || !right.whole) continue;
    const std::size_t bit = bit_of(left.character, right.character);
    if ((pairs_[bit / 64] >> bit % 64 & 1U) == 0) return at;
  }
  return piece.size();
}

}  // namespace tokenizers::hf
