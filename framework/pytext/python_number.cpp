#include "pytext/python_number.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>

#include "base/text.hpp"

namespace inferbench::pytext {

namespace {

// The white space of Python's str.strip() within ASCII.
std::string_view stripped_number(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r\v\f\x1C\x1D\x1E\x1F";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The text without its underscores, each of which must stand between two digits.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    const bool between =
        i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (!between) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<double> python_float(std::string_view text) {
  const auto plain = without_underscores(stripped_number(text));
  if (!plain) return std::nullopt;
  std::string_view digits = *plain;
  const bool negative = digits.starts_with('-');
  const std::size_t skipped = negative || digits.starts_with('+') ? 1 : 0;
  digits.remove_prefix(skipped);
  const double sign = negative ? -1 : 1;
  if (base::equal_no_case(digits, "inf") || base::equal_no_case(digits, "infinity"))
    return sign * std::numeric_limits<double>::infinity();
  if (base::equal_no_case(digits, "nan")) return std::numeric_limits<double>::quiet_NaN();
  // from_chars() also reads a second sign, "nan(1)" and the like.
  if (digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos || digits.empty() ||
      (!is_digit(digits.front()) && digits.front() != '.'))
    return std::nullopt;
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, value);
  if (stop != end || code == std::errc::invalid_argument) return std::nullopt;
  // strtod() tells a number that is too large from a number that is too small.
  if (code == std::errc::result_out_of_range)
    value = std::strtod(plain->c_str() + skipped, nullptr);
  return sign * value;
}

std::optional<std::int64_t> python_int(std::string_view text) {
  const auto plain = without_underscores(stripped_number(text));
  return plain ? base::parse_int(*plain) : std::nullopt;
}

}  // namespace inferbench::pytext
