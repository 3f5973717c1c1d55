#include "byte_alphabet.hpp"

#include <array>
#include <cstdint>

#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

constexpr bool stands_for_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD && byte <= 0xFF);
}

struct tables {
  std::array<byte_spelling, 256> spelled{};
  // Indexed by code point; -1 for characters that are not in the alphabet.
  std::array<std::int16_t, 0x144> byte_of{};
};

constexpr tables make_tables() {
  tables out;
  out.byte_of.fill(-1);
  unsigned next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const unsigned code = stands_for_itself(byte) ? byte : next++;
    auto& to = out.spelled[byte];
    if (code < 0x80) {
      to = {{static_cast<char>(code), 0}, 1};
    } else {
      to = {{static_cast<char>(0xC0U | code >> 6U), static_cast<char>(0x80U | (code & 0x3FU))}, 2};
    }
    out.byte_of[code] = static_cast<std::int16_t>(byte);
  }
  return out;
}

constexpr tables alphabet_tables = make_tables();

}  // namespace

const byte_spelling& spell(unsigned char byte) noexcept { return alphabet_tables.spelled[byte]; }

bool append_bytes(std::string& to, std::string_view token) {
  const std::size_t before = to.size();
  to.resize(before + token.size());
  char* out = to.data() + before;
  for (std::size_t i = 0; i < token.size();) {
    if (stands_for_itself(static_cast<unsigned char>(token[i])) && token[i] > 0) {
      *out++ = token[i++];
      continue;
    }
    const utf8_character c = character_at(token, i);
    const int byte = c.code < alphabet_tables.byte_of.size() ? alphabet_tables.byte_of[c.code] : -1;
    if (byte < 0) {
      to.resize(before);
      return false;
    }
    *out++ = static_cast<char>(byte);
    i += c.size;
  }
  to.resize(static_cast<std::size_t>(out - to.data()));
  return true;
}

}  // namespace tokenizers::hf
