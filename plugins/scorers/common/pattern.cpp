#include "pattern.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include <re2/re2.h>
#include <re2/stringpiece.h>

namespace scorers {
namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

/// Returns the number that the four hexadecimal digits at `at` mean.
std::optional<std::uint32_t> unit_at(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return std::nullopt;
  std::uint32_t out = 0;
  const char* const end = text.data() + at + 4;
  const auto [stop, problem] = std::from_chars(text.data() + at, end, out, 16);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return out;
}

void append_code_point(std::string& out, std::uint32_t code) {
  std::array<char, 16> text{};
  const int size = std::snprintf(text.data(), text.size(), "\\x{%X}", code);
  out.append(text.data(), static_cast<std::size_t>(size));
}

}  // namespace

pattern::pattern(std::string_view text) {
  if (text.size() > longest_pattern) {
    problem_ = "it is longer than 64 KiB";
    return;
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(static_cast<std::int64_t>(most_pattern_memory));
  compiled_ = std::make_unique<re2::RE2>(piece(text), options);
  if (compiled_->ok()) return;
  problem_ = compiled_->error();
  if (problem_.empty()) problem_ = "it does not compile";
  compiled_.reset();
}

pattern::pattern(pattern&&) noexcept = default;
pattern& pattern::operator=(pattern&&) noexcept = default;
pattern::~pattern() = default;

bool pattern::starts(std::string_view text) const {
  return compiled_->Match(piece(text), 0, text.size(), re2::RE2::ANCHOR_START, nullptr, 0);
}

bool pattern::occurs_in(std::string_view text) const {
  return compiled_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

std::optional<pattern_match> pattern::find(std::string_view text, std::size_t from) const {
  std::array<re2::StringPiece, 2> groups;
  const int wanted = compiled_->NumberOfCapturingGroups() > 0 ? 2 : 1;
  if (from > text.size() || !compiled_->Match(piece(text), from, text.size(), re2::RE2::UNANCHORED,
                                              groups.data(), wanted))
    return std::nullopt;
  const re2::StringPiece& whole = groups[0];
  const re2::StringPiece& group = groups[static_cast<std::size_t>(wanted - 1)];
  const auto begin = static_cast<std::size_t>(whole.data() - text.data());
  // A group that takes no part in the match has no data.
  return pattern_match{
      begin, begin + whole.size(),
      group.data() == nullptr ? std::string_view{} : std::string_view{group.data(), group.size()}};
}

std::string from_ecmascript(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("(?<") && rest.size() > 3 && rest[3] != '=' && rest[3] != '!') {
      out += "(?P<";
      i += 2;
      continue;
    }
    if (rest.size() < 2 || rest[0] != '\\') {
      out += rest[0];
      continue;
    }
    if (const auto unit = rest[1] == 'u' ? unit_at(text, i + 2) : std::nullopt) {
      i += 5;
      std::uint32_t code = *unit;
      const bool high = code >= 0xD800 && code < 0xDC00;
      if (high && text.substr(i + 1).starts_with("\\u")) {
        const auto low = unit_at(text, i + 3);
        if (low && *low >= 0xDC00 && *low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10U) + (*low - 0xDC00);
          i += 6;
        }
      }
      append_code_point(out, code);
    } else if (rest[1] == 'c' && rest.size() > 2 &&
               ((rest[2] >= 'A' && rest[2] <= 'Z') || (rest[2] >= 'a' && rest[2] <= 'z'))) {
      append_code_point(out, static_cast<std::uint32_t>(rest[2]) % 32U);
      i += 2;
    } else {
      out.append(rest.substr(0, 2));
      ++i;
    }
  }
  return out;
}

}  // namespace scorers
