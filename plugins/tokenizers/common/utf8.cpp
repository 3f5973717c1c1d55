#include "utf8.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include <inferbench/json_writer.hpp>

namespace tokenizers {

void append(std::string& to, char32_t code) {
  const auto put = [&](char32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

std::size_t ascii_prefix(std::string_view text) noexcept {
  constexpr std::uint64_t high = 0x8080808080808080U;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + i, sizeof eight);
    eight &= high;
    if (eight == 0) continue;
    const int bits = std::endian::native == std::endian::little ? std::countr_zero(eight)
                                                                : std::countl_zero(eight);
    return i + static_cast<std::size_t>(bits) / 8;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80)
    ++i;
  return i;
}

namespace {

/// Returns the length of the sequence at `at`, which must not be ASCII; 0 if the sequence is not
/// valid.
std::size_t well_formed(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[at + n]); };
  const std::size_t left = text.size() - at;
  // The usual lead bytes; all others need more checks.
  if (left >= 2 && byte(0) >= 0xC2 && byte(0) <= 0xDF && (byte(1) & 0xC0U) == 0x80U) return 2;
  if (left >= 3 && byte(0) >= 0xE1 && byte(0) <= 0xEC && (byte(1) & 0xC0U) == 0x80U &&
      (byte(2) & 0xC0U) == 0x80U)
    return 3;
  const auto [length, good] = ifb::utf8_sequence(text.substr(at));
  return good ? length : 0;
}

}  // namespace

std::size_t valid_prefix(std::string_view text) noexcept {
  std::size_t i = 0;
  while (i < text.size()) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      i += ascii_prefix(text.substr(i));
      continue;
    }
    const std::size_t length = well_formed(text, i);
    if (length == 0) break;
    i += length;
  }
  return i;
}

void append_valid(std::string& to, std::string_view text) {
  while (true) {
    const std::size_t good = valid_prefix(text);
    to += text.substr(0, good);
    if (good == text.size()) return;
    to += "\xEF\xBF\xBD";
    text.remove_prefix(good);
    text.remove_prefix(ifb::utf8_sequence(text).first);
  }
}

std::size_t count_characters(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace tokenizers
