#include "characters.hpp"

#include <array>
#include <cstddef>
#include <span>

#include <utf8proc.h>

#include "tokenizers/common/characters.hpp"

namespace tokenizers::hf {

namespace {

struct range {
  char32_t first;
  char32_t last;
};

// The reference's library for categories uses Unicode 8. These characters were assigned or changed
// later. A range may also include characters that do not have the category in any version.
constexpr range later_punctuation[] = {{0x61d, 0x61d},     {0x9fd, 0xa76},     {0xc77, 0xc84},
                                       {0x1b4e, 0x1b4f},   {0x1b7d, 0x1b7f},   {0x2e43, 0x2e5d},
                                       {0x10d6e, 0x10f89}, {0x113d4, 0x1145d}, {0x11660, 0x116b9},
                                       {0x1183b, 0x11fff}, {0x12ff1, 0x12ff2}, {0x16d6d, 0x16fe2},
                                       {0x1e5ff, 0x1e95f}};
constexpr range once_punctuation[] = {{0x166d, 0x166d}, {0x111c9, 0x111c9}};
constexpr range later_nonspacing[] = {
    {0x7fd, 0x7fd},     {0x897, 0x8e1},     {0x9fe, 0x9fe},     {0xafa, 0xaff},
    {0xb55, 0xb55},     {0xc04, 0xc3c},     {0xd00, 0xd00},     {0xd3b, 0xd3c},
    {0xd81, 0xd81},     {0xeba, 0xeba},     {0xece, 0xece},     {0x180f, 0x1886},
    {0x1abf, 0x1aeb},   {0x1df6, 0x1dfb},   {0xa82c, 0xa82c},   {0xa8c5, 0xa8c5},
    {0xa8ff, 0xa8ff},   {0xa9bd, 0xa9bd},   {0x10d24, 0x10f85}, {0x11070, 0x11074},
    {0x110c2, 0x110c2}, {0x111c9, 0x111c9}, {0x111cf, 0x111cf}, {0x1123e, 0x11241},
    {0x1133b, 0x1133b}, {0x113bb, 0x1145e}, {0x1182f, 0x11f5a}, {0x13440, 0x13455},
    {0x1611e, 0x1612f}, {0x16f4f, 0x16f4f}, {0x16fe4, 0x16fe4}, {0x1cf00, 0x1cf46},
    {0x1e000, 0x1e6f5}, {0x1e944, 0x1e94a}};
constexpr range once_nonspacing[] = {{0x1734, 0x1734}, {0x1171e, 0x1171e}};
constexpr range later_control[] = {{0x890, 0x8e2}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}};
// The reference's library for combining marks uses Unicode 9.
constexpr range later_mark[] = {
    {0x7fd, 0x7fd},     {0x897, 0x8d3},     {0x9fe, 0x9fe},     {0xafa, 0xaff},
    {0xb55, 0xb55},     {0xc04, 0xc3c},     {0xcf3, 0xd00},     {0xd3b, 0xd3c},
    {0xd81, 0xd81},     {0xeba, 0xeba},     {0xece, 0xece},     {0x1715, 0x1715},
    {0x180f, 0x180f},   {0x1abf, 0x1aeb},   {0x1cf7, 0x1cf7},   {0x1df6, 0x1dfa},
    {0xa82c, 0xa82c},   {0xa8ff, 0xa8ff},   {0x10d24, 0x10f85}, {0x11070, 0x11074},
    {0x110c2, 0x110c2}, {0x11145, 0x11146}, {0x111c9, 0x111c9}, {0x111ce, 0x111cf},
    {0x11241, 0x11241}, {0x1133b, 0x1133b}, {0x113b8, 0x113e2}, {0x1145e, 0x1145e},
    {0x1182c, 0x11b67}, {0x11d31, 0x11f5a}, {0x13440, 0x13455}, {0x1611e, 0x1612f},
    {0x16f4f, 0x16f4f}, {0x16f7f, 0x16f87}, {0x16fe4, 0x16ff1}, {0x1cf00, 0x1cf46},
    {0x1e08f, 0x1e6f5}};
constexpr range once_mark[] = {{0x1cf2, 0x1cf3}};
// The reference's library for numbers uses Unicode 17.
constexpr range further_numeric[] = {{0x11de0, 0x11de9}, {0x16ff4, 0x16ff6}};
// Symbols that count as alphabetic characters.
constexpr range letter_like[] = {
    {0x24b6, 0x24e9}, {0x1f130, 0x1f149}, {0x1f150, 0x1f169}, {0x1f170, 0x1f189}};
constexpr range joiners[] = {{0x200c, 0x200d}};
constexpr range white_space[] = {{0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680},
                                 {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f},
                                 {0x205f, 0x205f}, {0x3000, 0x3000}};

std::uint8_t kinds_of_category(utf8proc_category_t category) noexcept {
  switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return kind::word;
    case UTF8PROC_CATEGORY_MN: return kind::word | kind::mark | kind::nonspacing_mark;
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return kind::word | kind::mark;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL: return kind::word | kind::numeric;
    case UTF8PROC_CATEGORY_NO: return kind::numeric;
    case UTF8PROC_CATEGORY_PC: return kind::word | kind::punctuation;
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO: return kind::punctuation;
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CO: return kind::control;
    default: return 0;
  }
}

/// The kinds of the characters in the first two planes. Characters in other planes are looked up
/// one by one.
class kind_table {
 public:
  kind_table() {
    for (std::size_t c = 0; c < kinds_.size(); ++c)
      kinds_[c] = kinds_of_category(category_of(static_cast<char32_t>(c)));
    clear(later_punctuation, kind::punctuation);
    set(once_punctuation, kind::punctuation);
    clear(later_nonspacing, kind::nonspacing_mark);
    set(once_nonspacing, kind::nonspacing_mark);
    clear(later_control, kind::control);
    clear(later_mark, kind::mark);
    set(once_mark, kind::mark);
    set(further_numeric, kind::numeric);
    set(letter_like, kind::word);
    set(joiners, kind::word);
    set(white_space, kind::white_space);
  }
  [[nodiscard]] std::uint8_t operator[](char32_t c) const noexcept {
    return c < kinds_.size() ? kinds_[c] : kinds_of_category(category_of(c));
  }

 private:
  void set(std::span<const range> ranges, std::uint8_t bit) {
    for (const range& it : ranges)
      for (char32_t c = it.first; c <= it.last; ++c)
        kinds_[c] = static_cast<std::uint8_t>(kinds_[c] | bit);
  }
  void clear(std::span<const range> ranges, std::uint8_t bit) {
    for (const range& it : ranges)
      for (char32_t c = it.first; c <= it.last; ++c)
        kinds_[c] = static_cast<std::uint8_t>(kinds_[c] & ~bit);
  }

  std::array<std::uint8_t, 0x20000> kinds_{};
};

}  // namespace

std::uint8_t kinds_beyond_ascii(char32_t c) noexcept {
  static const kind_table table;
  return table[c];
}

char32_t lower_case(char32_t c) noexcept {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 0x20 : c;
  // Characters of Unicode 16 and 17, which utf8proc may not contain.
  switch (c) {
    case 0x1c89:
    case 0xa7cc:
    case 0xa7ce:
    case 0xa7d2:
    case 0xa7d4:
    case 0xa7da: return c + 1;
    case 0xa7cb: return 0x264;
    case 0xa7dc: return 0x19b;
    default: break;
  }
  if (c >= 0x10d50 && c <= 0x10d65) return c + 0x20;
  if (c >= 0x16ea0 && c <= 0x16eb8) return c + 0x1b;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

}  // namespace tokenizers::hf
