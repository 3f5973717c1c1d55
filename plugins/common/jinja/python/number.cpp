// Reading numbers from strings, and rounding.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "python.hpp"
#include "raise.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

/// Returns the digits without the underscores, which may stand only between digits; nullopt if an
/// underscore stands elsewhere.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  char before = '_';
  for (const char c : text) {
    const bool digit = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (c == '_' && (before == '_' || std::isalnum(static_cast<unsigned char>(before)) == 0))
      return std::nullopt;
    if (before == '_' && !digit && !out.empty()) return std::nullopt;
    if (c != '_') out.push_back(c);
    before = c;
  }
  if (before == '_') return std::nullopt;
  return out;
}

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; }

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t base) {
  if (base != 0 && (base < 2 || base > 36)) raise_value("int() base must be >= 2 and <= 36, or 0");
  text = unicode::strip_left(unicode::strip_right(text));
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.size() > 1 && text[0] == '0') {
    const char mark = lower_letter(text[1]);
    const std::int64_t named = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
    if (named != 0 && (base == 0 || base == named)) {
      base = named;
      text.remove_prefix(2);
      if (!text.empty() && text[0] == '_') text.remove_prefix(1);
    } else if (base == 0 && text.find_first_not_of("0_") != std::string_view::npos) {
      return std::nullopt;
    }
  }
  if (base == 0) base = 10;
  const auto digits = without_underscores(text);
  if (!digits || digits->empty() || (*digits)[0] == '-') return std::nullopt;
  const std::string all = negative ? "-" + *digits : *digits;
  std::int64_t out = 0;
  const auto [end, fault] =
      std::from_chars(all.data(), all.data() + all.size(), out, static_cast<int>(base));
  if (end != all.data() + all.size()) return std::nullopt;
  if (fault == std::errc::result_out_of_range)
    raise("OverflowError", "integers of more than 64 bits are not supported in chat templates");
  if (fault != std::errc()) return std::nullopt;
  return out;
}

std::optional<double> parse_real(std::string_view text) {
  text = unicode::strip_left(unicode::strip_right(text));
  auto digits = without_underscores(text);
  if (!digits || digits->empty()) return std::nullopt;
  std::string_view rest = *digits;
  const bool negative = rest[0] == '-';
  if (negative || rest[0] == '+') rest.remove_prefix(1);
  // from_chars would accept a second sign and "nan(...)", but Python refuses both.
  if (rest.empty() || rest[0] == '-' || rest.find('(') != std::string_view::npos)
    return std::nullopt;
  double out = 0;
  const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), out);
  if (end != rest.data() + rest.size()) return std::nullopt;
  if (fault == std::errc::result_out_of_range)
    out = std::strtod(std::string(rest).c_str(), nullptr);
  else if (fault != std::errc())
    return std::nullopt;
  return negative ? -out : out;
}

double round_to(double number, std::int64_t digits) {
  if (!std::isfinite(number) || digits > 323) return number;
  if (digits < -308) return std::copysign(0.0, number);
  if (digits < 0) {
    const double scale = std::pow(10.0, static_cast<double>(-digits));
    return std::nearbyint(number / scale) * scale;
  }
  // printf rounds the exact value, and half-way values to the even digit, like Python.
  std::array<char, 800> buffer{};
  static_cast<void>(
      std::snprintf(buffer.data(), buffer.size(), "%.*f", static_cast<int>(digits), number));
  return std::strtod(buffer.data(), nullptr);
}

}  // namespace jinja
