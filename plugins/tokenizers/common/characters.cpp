#include "characters.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace tokenizers {

namespace {

constexpr auto ll = UTF8PROC_CATEGORY_LL;
constexpr auto lm = UTF8PROC_CATEGORY_LM;
constexpr auto lo = UTF8PROC_CATEGORY_LO;
constexpr auto lu = UTF8PROC_CATEGORY_LU;
constexpr auto mc = UTF8PROC_CATEGORY_MC;
constexpr auto mn = UTF8PROC_CATEGORY_MN;
constexpr auto nd = UTF8PROC_CATEGORY_ND;
constexpr auto pd = UTF8PROC_CATEGORY_PD;
constexpr auto po = UTF8PROC_CATEGORY_PO;
constexpr auto sm = UTF8PROC_CATEGORY_SM;
constexpr auto so = UTF8PROC_CATEGORY_SO;

struct range_of_category {
  char32_t first;
  char32_t last;
  utf8proc_category_t category;
};
// Characters that Unicode 15.1 and 16 assigned or corrected. utf8proc 2.8 does not have them.
constexpr range_of_category later[] = {
    {0x897, 0x897, mn},     {0x1b4e, 0x1b4f, po},   {0x1b7f, 0x1b7f, po},   {0x1c89, 0x1c89, lu},
    {0x1c8a, 0x1c8a, ll},   {0x2427, 0x2429, so},   {0x2ffc, 0x2fff, so},   {0x31e4, 0x31e5, so},
    {0x31ef, 0x31ef, so},   {0xa7cb, 0xa7cc, lu},   {0xa7cd, 0xa7cd, ll},   {0xa7da, 0xa7da, lu},
    {0xa7db, 0xa7db, ll},   {0xa7dc, 0xa7dc, lu},   {0x105c0, 0x105f3, lo}, {0x10d40, 0x10d49, nd},
    {0x10d4a, 0x10d4d, lo}, {0x10d4e, 0x10d4e, lm}, {0x10d4f, 0x10d4f, lo}, {0x10d50, 0x10d65, lu},
    {0x10d69, 0x10d6d, mn}, {0x10d6e, 0x10d6e, pd}, {0x10d6f, 0x10d6f, lm}, {0x10d70, 0x10d85, ll},
    {0x10d8e, 0x10d8f, sm}, {0x10ec2, 0x10ec4, lo}, {0x10efc, 0x10efc, mn}, {0x11380, 0x11389, lo},
    {0x1138b, 0x1138b, lo}, {0x1138e, 0x1138e, lo}, {0x11390, 0x113b5, lo}, {0x113b7, 0x113b7, lo},
    {0x113b8, 0x113ba, mc}, {0x113bb, 0x113c0, mn}, {0x113c2, 0x113c2, mc}, {0x113c5, 0x113c5, mc},
    {0x113c7, 0x113ca, mc}, {0x113cc, 0x113cd, mc}, {0x113ce, 0x113ce, mn}, {0x113cf, 0x113cf, mc},
    {0x113d0, 0x113d0, mn}, {0x113d1, 0x113d1, lo}, {0x113d2, 0x113d2, mn}, {0x113d3, 0x113d3, lo},
    {0x113d4, 0x113d5, po}, {0x113d7, 0x113d8, po}, {0x113e1, 0x113e2, mn}, {0x116d0, 0x116e3, nd},
    {0x1171e, 0x1171e, mc}, {0x11bc0, 0x11be0, lo}, {0x11be1, 0x11be1, po}, {0x11bf0, 0x11bf9, nd},
    {0x11f5a, 0x11f5a, mn}, {0x13460, 0x143fa, lo}, {0x16100, 0x1611d, lo}, {0x1611e, 0x16129, mn},
    {0x1612a, 0x1612c, mc}, {0x1612d, 0x1612f, mn}, {0x16130, 0x16139, nd}, {0x16d40, 0x16d42, lm},
    {0x16d43, 0x16d6a, lo}, {0x16d6b, 0x16d6c, lm}, {0x16d6d, 0x16d6f, po}, {0x16d70, 0x16d79, nd},
    {0x18cff, 0x18cff, lo}, {0x1cc00, 0x1ccef, so}, {0x1ccf0, 0x1ccf9, nd}, {0x1cd00, 0x1ceb3, so},
    {0x1e5d0, 0x1e5ed, lo}, {0x1e5ee, 0x1e5ef, mn}, {0x1e5f0, 0x1e5f0, lo}, {0x1e5f1, 0x1e5fa, nd},
    {0x1e5ff, 0x1e5ff, po}, {0x1f8b2, 0x1f8bb, so}, {0x1f8c0, 0x1f8c1, so}, {0x1fa89, 0x1fa89, so},
    {0x1fa8f, 0x1fa8f, so}, {0x1fabe, 0x1fabe, so}, {0x1fac6, 0x1fac6, so}, {0x1fadc, 0x1fadc, so},
    {0x1fadf, 0x1fadf, so}, {0x1fae9, 0x1fae9, so}, {0x1fbcb, 0x1fbef, so}, {0x2ebf0, 0x2ee5d, lo},
};

struct range {
  char32_t first;
  char32_t last;
};
// The characters with the property Script=Han.
constexpr range han[] = {
    {0x2e80, 0x2e99},   {0x2e9b, 0x2ef3},   {0x2f00, 0x2fd5},   {0x3005, 0x3005},
    {0x3007, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303b},   {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xf900, 0xfa6d},   {0xfa70, 0xfad9},   {0x16fe2, 0x16fe3},
    {0x16ff0, 0x16ff1}, {0x20000, 0x2a6df}, {0x2a700, 0x2b739}, {0x2b740, 0x2b81d},
    {0x2b820, 0x2cea1}, {0x2ceb0, 0x2ebe0}, {0x2ebf0, 0x2ee5d}, {0x2f800, 0x2fa1d},
    {0x30000, 0x3134a}, {0x31350, 0x323af},
};

constexpr range white_space[] = {
    {0x9, 0xd},       {0x20, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680},
    {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}};

std::uint8_t kind_of_category(utf8proc_category_t category) {
  switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return is::upper;
    case UTF8PROC_CATEGORY_LL: return is::lower;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return is::caseless;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return is::mark;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return is::number;
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SC:
    case UTF8PROC_CATEGORY_SK:
    case UTF8PROC_CATEGORY_SO: return is::symbol;
    default: return 0;
  }
}

using page = std::array<std::uint8_t, 256>;

/// Calls `change(kind, range)` for each character of the page that is in a range. The ranges must
/// be sorted.
template <typename ranges, typename changer>
void overlay(page& kinds, char32_t first, const ranges& all, changer&& change) {
  const char32_t last = first + static_cast<char32_t>(kinds.size()) - 1;
  for (const auto& it : all) {
    if (it.last < first) continue;
    if (it.first > last) return;
    for (char32_t c = std::max(it.first, first); c <= std::min(it.last, last); ++c)
      change(kinds[c - first], it);
  }
}

page kinds_from(char32_t first) {
  page kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    kinds[i] = kind_of_category(utf8proc_category(static_cast<utf8proc_int32_t>(first + i)));
  overlay(kinds, first, later, [](std::uint8_t& kind, const range_of_category& is) {
    kind = kind_of_category(is.category);
  });
  const auto also = [&](const auto& ranges, std::uint8_t bit) {
    overlay(kinds, first, ranges, [&](std::uint8_t& kind, const range&) { kind |= bit; });
  };
  also(white_space, is::space);
  also(han, is::han);
  return kinds;
}

}  // namespace

utf8proc_category_t category_of(char32_t c) {
  if (c > 0x10FFFF) return UTF8PROC_CATEGORY_CN;
  const auto* it = std::ranges::lower_bound(later, c, {}, &range_of_category::last);
  if (it != std::end(later) && it->first <= c) return it->category;
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

const character_table& character_table::get() {
  static const character_table table;
  return table;
}

character_table::character_table() : page_of_(0x1100) {
  std::map<page, std::uint16_t> known;
  for (std::size_t p = 0; p < page_of_.size(); ++p) {
    page kinds{};
    // Planes 4 to 13 have no assigned characters, and planes 15 and 16 are for private use.
    if (p < 0x400 || (p >= 0xE00 && p < 0xF00))
      kinds = kinds_from(static_cast<char32_t>(p * kinds.size()));
    const auto [it, fresh] = known.try_emplace(kinds, static_cast<std::uint16_t>(known.size()));
    if (fresh) pages_.insert(pages_.end(), kinds.begin(), kinds.end());
    page_of_[p] = it->second;
  }
}

}  // namespace tokenizers
