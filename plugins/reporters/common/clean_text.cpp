#include "clean_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include <inferbench/text.hpp>

namespace reporters {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Calls visit(sequence, good) for each UTF-8 sequence of the text.
template <typename visitor>
void for_each_sequence(std::string_view text, visitor&& visit) {
  while (!text.empty()) {
    const auto [length, good] = ifb::utf8_sequence(text);
    visit(text.substr(0, length), good);
    text.remove_prefix(length);
  }
}

bool is_control(std::string_view sequence) {
  const auto last = static_cast<unsigned char>(sequence.back());
  // The control characters of Latin-1 have two bytes; so do the line ends U+2028 and U+2029 three.
  if (sequence.size() == 1) return last < 0x20 || last == 0x7F;
  if (sequence.size() == 2) return sequence[0] == '\xC2' && last < 0xA0;
  return sequence == "\xE2\x80\xA8" || sequence == "\xE2\x80\xA9";
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_sequence(text, [&](std::string_view sequence, bool good) {
    out += good && sequence[0] != '\0' ? sequence : replacement;
  });
  return out;
}

std::string clean_line(std::string_view text, std::size_t limit) {
  const std::string_view kept = limit == 0 ? text : ifb::cut_utf8(text, limit);
  std::string out;
  out.reserve(kept.size());
  for_each_sequence(kept, [&](std::string_view sequence, bool good) {
    out += !good ? replacement : is_control(sequence) ? " " : sequence;
  });
  if (kept.size() < text.size()) out += "...";
  return out;
}

std::string utc_text(std::int64_t unix_ns) {
  constexpr std::int64_t per_s = 1'000'000'000;
  std::int64_t rest = unix_ns % per_s;
  if (rest < 0) rest += per_s;
  const auto seconds = static_cast<std::time_t>((unix_ns - rest) / per_s);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[64];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + size, sizeof text - size, ".%06dZ", static_cast<int>(rest / 1000));
  return text;
}

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return;
  }
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), static_cast<std::size_t>(end - text.data()));
}

void append_ms(std::string& out, std::int64_t ns) {
  constexpr std::uint64_t per_ms = 1'000'000;
  auto size = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    out += '-';
    size = 0 - size;
  }
  out += std::to_string(size / per_ms);
  const std::uint64_t rest = size % per_ms;
  if (rest == 0) return;
  std::string digits = std::to_string(rest + per_ms);  // "1" and six digits
  digits.resize(digits.find_last_not_of('0') + 1);
  out += '.';
  out.append(digits, 1);
}

}  // namespace reporters
