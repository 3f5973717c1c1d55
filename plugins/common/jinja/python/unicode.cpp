#include "unicode.hpp"

#include <algorithm>

#include <utf8proc.h>

namespace jinja::unicode {

namespace {

utf8proc_category_t category(char32_t c) noexcept {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

bool valid(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
      ++at;
      continue;
    }
    const std::size_t size = width(text[at]);
    if (lead < 0xc2 || lead > 0xf4 || text.size() - at < size) return false;
    const auto second = static_cast<unsigned char>(text[at + 1]);
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f))
      return false;
    for (std::size_t i = 1; i < size; ++i)
      if (!continuation(text[at + i])) return false;
    at += size;
  }
  return true;
}

std::size_t length(std::string_view text) noexcept {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continuation));
}

std::size_t offset(std::string_view text, std::size_t index) noexcept {
  std::size_t at = 0;
  for (; index > 0 && at < text.size(); --index)
    at += width(text[at]);
  return at;
}

char32_t next(std::string_view text, std::size_t& at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::size_t size = width(text[at]);
  char32_t out = byte(0);
  if (size == 2)
    out = static_cast<char32_t>((byte(0) & 0x1fU) << 6U | (byte(1) & 0x3fU));
  else if (size == 3)
    out = static_cast<char32_t>((byte(0) & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U |
                                (byte(2) & 0x3fU));
  else if (size == 4)
    out = static_cast<char32_t>((byte(0) & 0x07U) << 18U | (byte(1) & 0x3fU) << 12U |
                                (byte(2) & 0x3fU) << 6U | (byte(3) & 0x3fU));
  at += size;
  return out;
}

char32_t previous(std::string_view text, std::size_t& at) noexcept {
  do
    --at;
  while (at > 0 && continuation(text[at]));
  std::size_t again = at;
  return next(text, again);
}

void append(std::string& out, char32_t point) {
  const auto put = [&](char32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | point >> 6U);
    put(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    put(0xe0 | point >> 12U);
    put(0x80 | (point >> 6U & 0x3f));
    put(0x80 | (point & 0x3f));
  } else {
    put(0xf0 | point >> 18U);
    put(0x80 | (point >> 12U & 0x3f));
    put(0x80 | (point >> 6U & 0x3f));
    put(0x80 | (point & 0x3f));
  }
}

bool space(char32_t c) noexcept {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool line_break(char32_t c) noexcept {
  return (c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

bool printable(char32_t c) noexcept {
  if (c < 0x7f) return c >= ' ';
  switch (category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS: return false;
    default: return true;
  }
}

bool letter(char32_t c) noexcept {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const auto of = category(c);
  return of >= UTF8PROC_CATEGORY_LU && of <= UTF8PROC_CATEGORY_LO;
}

bool decimal(char32_t c) noexcept {
  if (c < 0x80) return c >= '0' && c <= '9';
  return category(c) == UTF8PROC_CATEGORY_ND;
}

bool digit(char32_t c) noexcept {
  // Superscripts, subscripts and circled digits are digits; fractions and Roman numerals are not.
  return decimal(c) || c == 0xb2 || c == 0xb3 || c == 0xb9 || c == 0x2070 ||
         (c >= 0x2074 && c <= 0x2079) || (c >= 0x2080 && c <= 0x2089) ||
         (c >= 0x2460 && c <= 0x2468) || (c >= 0x2474 && c <= 0x247c) ||
         (c >= 0x2488 && c <= 0x2490) || (c >= 0x2776 && c <= 0x277e);
}

bool numeric(char32_t c) noexcept {
  if (c < 0x80) return c >= '0' && c <= '9';
  const auto of = category(c);
  return of == UTF8PROC_CATEGORY_ND || of == UTF8PROC_CATEGORY_NL || of == UTF8PROC_CATEGORY_NO;
}

bool word(char32_t c) noexcept { return c == '_' || letter(c) || numeric(c); }

bool identifier_start(char32_t c) noexcept {
  return c == '_' || letter(c) || category(c) == UTF8PROC_CATEGORY_NL;
}

bool identifier(char32_t c) noexcept {
  if (identifier_start(c) || decimal(c)) return true;
  if (c < 0x80) return false;
  const auto of = category(c);
  return of == UTF8PROC_CATEGORY_MN || of == UTF8PROC_CATEGORY_MC || of == UTF8PROC_CATEGORY_PC;
}

bool lower(char32_t c) noexcept {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  return utf8proc_islower(static_cast<utf8proc_int32_t>(c)) != 0;
}

bool upper(char32_t c) noexcept {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  return utf8proc_isupper(static_cast<utf8proc_int32_t>(c)) != 0;
}

bool title(char32_t c) noexcept { return c >= 0x80 && category(c) == UTF8PROC_CATEGORY_LT; }

std::string_view strip_left(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t behind = at;
    if (!space(next(text, behind))) break;
    at = behind;
  }
  return text.substr(at);
}

std::string_view strip_right(std::string_view text) noexcept {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t before = end;
    if (!space(previous(text, before))) break;
    end = before;
  }
  return text.substr(0, end);
}

}  // namespace jinja::unicode
