#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include "base/text.hpp"

namespace inferbench::base {

namespace {

struct unit {
  std::string_view name;
  std::int64_t factor;
};

// text_in() takes the first unit that divides the value, so larger units come first. In `sizes` the
// powers of 1024 come before the powers of 1000.
constexpr std::array durations{
    unit{"h", 3'600'000'000'000}, unit{"m", 60'000'000'000}, unit{"s", 1'000'000'000},
    unit{"ms", 1'000'000},        unit{"us", 1'000},         unit{"ns", 1}};
constexpr std::int64_t ki = 1024;
constexpr std::array sizes{unit{"TiB", ki* ki* ki* ki},
                           unit{"GiB", ki* ki* ki},
                           unit{"MiB", ki* ki},
                           unit{"KiB", ki},
                           unit{"TB", 1'000'000'000'000},
                           unit{"GB", 1'000'000'000},
                           unit{"MB", 1'000'000},
                           unit{"kB", 1'000},
                           unit{"KB", 1'000},
                           unit{"Ti", ki* ki* ki* ki},
                           unit{"Gi", ki* ki* ki},
                           unit{"Mi", ki* ki},
                           unit{"Ki", ki},
                           unit{"T", 1'000'000'000'000},
                           unit{"G", 1'000'000'000},
                           unit{"M", 1'000'000},
                           unit{"k", 1'000},
                           unit{"B", 1}};

std::optional<std::int64_t> whole(double value) noexcept {
  constexpr double beyond = 9223372036854775808.0;  // 2^63
  const double rounded = std::round(value);
  if (!(rounded >= -beyond && rounded < beyond)) return std::nullopt;
  return static_cast<std::int64_t>(rounded);
}

std::optional<std::int64_t> scaled(std::string_view number, std::int64_t factor) noexcept {
  number = base::trim(number);
  if (const auto exact = base::parse_int(number)) {
    std::int64_t out = 0;
    if (__builtin_mul_overflow(*exact, factor, &out)) return std::nullopt;
    return out;
  }
  const auto value = base::parse_float(number);
  return value ? whole(*value * static_cast<double>(factor)) : std::nullopt;
}

struct measure {
  std::string_view number;
  std::int64_t factor;
};

// The number before the unit and the factor of the unit, or `bare` if there is no unit.
measure with_unit(std::string_view text, std::span<const unit> units, std::int64_t bare) noexcept {
  text = base::trim(text);
  // The longest matching name counts, so that "1ms" is not read as the number "1m" with the unit
  // "s".
  const unit* best = nullptr;
  for (const unit& u : units)
    if (text.ends_with(u.name) && (best == nullptr || u.name.size() > best->name.size())) best = &u;
  if (best == nullptr) return {text, bare};
  return {base::trim(text.substr(0, text.size() - best->name.size())), best->factor};
}

std::string text_in(std::int64_t value, std::span<const unit> units) {
  for (const unit& u : units)
    if (value % u.factor == 0) return std::to_string(value / u.factor) + std::string(u.name);
  return std::to_string(value);
}

bool digit(char c) noexcept { return c >= '0' && c <= '9'; }

// The number without blanks at its ends and without the "_" of "1_000"; nullopt if a "_" is not
// between two digits.
std::optional<std::string> plain_number(std::string_view text) {
  std::string out;
  text = base::trim(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !digit(text[i - 1]) || !digit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const auto plain = plain_number(text);
  // "nan(payload)" is a number in C, but not in Python.
  if (!plain || plain->find('(') != std::string::npos) return std::nullopt;
  if (const auto value = base::parse_float(*plain)) return value;
  // A text that parse_float() refuses is either not a number, or it is a number beyond the range of
  // double, which becomes 0 or inf.
  const bool number = !plain->empty() && std::ranges::all_of(*plain, [](char c) {
    return digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
  });
  if (!number) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(plain->c_str(), &end);
  return end == plain->c_str() + plain->size() ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  const auto plain = plain_number(text);
  return plain ? base::parse_int(*plain) : std::nullopt;
}

std::optional<std::int64_t> parse_duration(std::string_view text) noexcept {
  const measure given = with_unit(text, durations, 1'000'000'000);
  return scaled(given.number, given.factor);
}

std::optional<std::int64_t> duration_of_seconds(double seconds) noexcept {
  return whole(seconds * 1e9);
}

std::optional<std::int64_t> parse_size(std::string_view text) noexcept {
  const measure given = with_unit(text, sizes, 1);
  // Refuses a part of a byte, like size_of_bytes(). A product with a unit is rounded.
  const auto bytes = given.factor == 1 ? base::parse_float(given.number) : std::nullopt;
  if (bytes && *bytes != std::floor(*bytes)) return std::nullopt;
  return scaled(given.number, given.factor);
}

std::optional<std::int64_t> size_of_bytes(double bytes) noexcept {
  return bytes == std::floor(bytes) ? whole(bytes) : std::nullopt;
}

std::string duration_text(std::int64_t ns) {
  if (ns == 0) return "0s";
  return text_in(ns, std::span(durations).subspan(2));  // without h and m: 600s, not 10m
}

std::string size_text(std::int64_t bytes) {
  if (bytes != 0)
    for (const unit& u : std::span(sizes).first(4))
      if (bytes % u.factor == 0) return std::to_string(bytes / u.factor) + std::string(u.name);
  return std::to_string(bytes) + "B";
}

std::optional<std::int64_t> parse_suffixed_int(std::string_view text) noexcept {
  if (text.empty()) return std::nullopt;
  constexpr std::string_view decimal = "kmgt";
  constexpr std::string_view binary = "KMGT";
  const std::string_view number = text.substr(0, text.size() - 1);
  if (const auto at = decimal.find(text.back()); at != std::string_view::npos) {
    std::int64_t factor = 1;
    for (std::size_t i = 0; i <= at; ++i)
      factor *= 1000;
    return scaled(number, factor);
  }
  if (const auto at = binary.find(text.back()); at != std::string_view::npos) {
    if (!base::parse_int(number)) return std::nullopt;
    return scaled(number, std::int64_t{1} << (10 * (at + 1)));
  }
  return base::parse_int(text);
}

}  // namespace inferbench::base
