#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "format.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

std::string padded(rendering& r, std::string_view sign, std::string_view digits,
                   const format_spec& how, char fallback) {
  const std::size_t size = sign.size() + unicode::length(digits);
  const auto width = static_cast<std::size_t>(std::max<std::int64_t>(how.width, 0));
  r.allow(width);
  std::string out;
  if (width <= size) return out.append(sign).append(digits);
  const std::size_t room = width - size;
  const char align = how.align == 0 ? fallback : how.align;
  const std::size_t left = align == '<' ? 0 : align == '^' ? room / 2 : room;
  const auto fill = [&](std::size_t count) {
    for (; count > 0; --count)
      unicode::append(out, how.fill);
  };
  if (align == '=') out += sign;
  fill(left);
  if (align != '=') out += sign;
  out += digits;
  fill(room - left);
  return out;
}

/// Puts separators between groups of digits of the integer part, and between the zeros that fill
/// it.
std::string grouped(const std::string& digits, const format_spec& how, std::size_t sign) {
  if (how.grouping == 0) return digits;
  const std::size_t end =
      std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
  const std::size_t every =
      how.type == 'x' || how.type == 'X' || how.type == 'b' || how.type == 'o' ? 4 : 3;
  std::string whole = digits.substr(0, end);
  const std::string rest = digits.substr(end);
  if (how.fill == '0' && how.align == '=') {
    const auto with = [&](std::size_t n) { return n + (n - 1) / every + rest.size() + sign; };
    while (static_cast<std::int64_t>(with(whole.size() + 1)) <= how.width)
      whole.insert(whole.begin(), '0');
    if (static_cast<std::int64_t>(with(whole.size())) < how.width) whole.insert(whole.begin(), '0');
  }
  std::string out;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i > 0 && (whole.size() - i) % every == 0) out.push_back(how.grouping);
    out.push_back(whole[i]);
  }
  return out + rest;
}

std::string sign_of(bool negative, const format_spec& how) {
  if (negative) return "-";
  return how.sign == '-' ? "" : std::string(1, how.sign);
}

std::string printed(const char* format, int precision, double number) {
  std::array<char, 128> small{};
  const int size = std::snprintf(small.data(), small.size(), format, precision, number);
  if (static_cast<std::size_t>(size) < small.size())
    return {small.data(), static_cast<std::size_t>(size)};
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  static_cast<void>(std::snprintf(out.data(), out.size(), format, precision, number));
  out.pop_back();
  return out;
}

std::string digits_of(rendering& r, double number, const format_spec& how) {
  if (how.type == 0 && how.precision < 0) return float_repr(number);
  const char type = how.type == 0 || how.type == 'n' ? 'g' : how.type == '%' ? 'f' : how.type;
  const auto precision =
      static_cast<int>(how.precision < 0 ? 6 : std::min<std::int64_t>(how.precision, INT32_MAX));
  r.allow(static_cast<std::size_t>(precision));
  if (std::isnan(number)) return std::isupper(type) != 0 ? "NAN" : "nan";
  if (std::isinf(number)) return std::isupper(type) != 0 ? "INF" : "inf";
  const char format[] = {'%',
                         how.alternate ? '#' : '.',
                         how.alternate ? '.' : '*',
                         how.alternate ? '*' : type,
                         how.alternate ? type : '\0',
                         '\0'};
  std::string out = printed(format, precision, how.type == '%' ? number * 100 : number);
  if (how.type != 0) return out;
  // Without a type, the result contains a point or an exponent, and the exponent starts to be used
  // one digit earlier.
  const std::string shorter = printed("%.*e", std::max(precision - 1, 0), number);
  const int exponent = std::atoi(shorter.c_str() + shorter.find('e') + 1);
  if (exponent >= -4 && exponent < precision - 1) {
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    return out;
  }
  if (out.find('e') != std::string::npos || exponent < -4) return out;
  std::string mantissa = shorter.substr(0, shorter.find('e'));
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return mantissa + shorter.substr(shorter.find('e'));
}

}  // namespace

std::string format_text(rendering& r, std::string_view text, const format_spec& how) {
  if (how.precision >= 0)
    text = text.substr(0, unicode::offset(text, static_cast<std::size_t>(how.precision)));
  r.work(text.size());
  return padded(r, "", text, how, '<');
}

std::string format_integer(rendering& r, std::int64_t number, const format_spec& how) {
  const bool negative = number < 0;
  auto rest = static_cast<std::uint64_t>(number);
  if (negative) rest = 0 - rest;
  const bool upper = how.type == 'X';
  const unsigned base = how.type == 'x' || upper ? 16
                        : how.type == 'o'        ? 8
                        : how.type == 'b'        ? 2
                                                 : 10;
  // A pointer, because g++ 12 with -fsanitize=bounds checks the index of a conditional expression
  // of arrays wrongly.
  const char* const all_digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string digits;
  do {
    digits.insert(digits.begin(), all_digits[rest % base]);
    rest /= base;
  } while (rest > 0);
  r.allow(static_cast<std::size_t>(std::max<std::int64_t>({how.precision, how.width, 0})));
  if (how.precision > static_cast<std::int64_t>(digits.size()))
    digits.insert(0, static_cast<std::size_t>(how.precision) - digits.size(), '0');
  std::string sign = sign_of(negative, how);
  if (how.alternate && base != 10)
    sign += base == 16 ? (upper ? "0X" : "0x") : base == 8 ? "0o" : "0b";
  return padded(r, sign, grouped(digits, how, sign.size()), how, '>');
}

std::string format_real(rendering& r, double number, const format_spec& how) {
  std::string digits = digits_of(r, number, how);
  bool negative = false;
  if (digits[0] == '-') {
    digits.erase(0, 1);
    negative = !how.plain_zero || digits.find_first_of("123456789in") != std::string::npos;
  }
  const std::string sign = sign_of(negative, how);
  r.allow(static_cast<std::size_t>(std::max<std::int64_t>(how.width, 0)));
  digits = grouped(digits, how, sign.size() + (how.type == '%' ? 1 : 0));
  if (how.type == '%') digits += "%";
  return padded(r, sign, digits, how, '>');
}

}  // namespace jinja
