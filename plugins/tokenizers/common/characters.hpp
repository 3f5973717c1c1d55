// The kinds of characters in Unicode 16. The libraries with which models were made use this
// version. utf8proc may have an older version of Unicode, so later characters are added here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <utf8proc.h>

namespace tokenizers {

/// Returns the general category of `c`; unassigned for values above U+10FFFF. [any thread]
[[nodiscard]] utf8proc_category_t category_of(char32_t c);

/// The sets of characters that patterns use. Each set is one bit of a byte.
namespace is {
inline constexpr std::uint8_t upper = 1;     // Lu, Lt
inline constexpr std::uint8_t lower = 2;     // Ll
inline constexpr std::uint8_t caseless = 4;  // Lm, Lo
inline constexpr std::uint8_t mark = 8;      // M
inline constexpr std::uint8_t number = 16;   // N
inline constexpr std::uint8_t space = 32;    // White_Space
inline constexpr std::uint8_t symbol = 64;   // P, S
inline constexpr std::uint8_t han = 128;     // Script=Han
inline constexpr std::uint8_t letter = upper | lower | caseless;
}  // namespace is

struct character {
  std::uint8_t kind = 0;  // the sets that contain the character, as bits of `is`
  std::uint8_t size = 1;  // number of bytes
  char32_t code = 0;
};

/// The kinds of all code points. Immutable: [any thread].
class character_table {
 public:
  /// Returns the only table of the process. The first call creates it, which takes some
  /// milliseconds and 70 KB.
  static const character_table& get();

  [[nodiscard]] std::uint8_t kind_of(char32_t c) const {
    return c < 0x110000 ? pages_[(std::size_t{page_of_[c >> 8U]} << 8U) + (c & 0xFFU)] : 0;
  }

  /// Returns the character that begins at the offset `at`, which must be less than the size. A byte
  /// that is not valid UTF-8 is a character that belongs to none of the sets. No byte after the end
  /// is read.
  [[nodiscard]] character at(std::string_view text, std::size_t at) const {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) return {pages_[first], 1, first};
    return beyond_ascii(text, at);
  }

 private:
  character_table();
  [[nodiscard]] character beyond_ascii(std::string_view text, std::size_t at) const {
    const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[at + n]); };
    const std::size_t left = text.size() - at;
    const std::uint32_t first = byte(0);
    if (first < 0xE0) {
      if (left < 2) return {};
      return with_kind(((first & 0x1FU) << 6U) | (byte(1) & 0x3FU), 2);
    }
    if (first < 0xF0) {
      if (left < 3) return {};
      return with_kind(((first & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU), 3);
    }
    if (left < 4) return {};
    return with_kind(((first & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) |
                         ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU),
                     4);
  }
  [[nodiscard]] character with_kind(std::uint32_t code, std::uint8_t size) const {
    return {kind_of(code), size, code};
  }

  std::vector<std::uint16_t> page_of_;
  std::vector<std::uint8_t> pages_;  // the first page contains ASCII
};

}  // namespace tokenizers
