#include "cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include <utf8proc.h>

#include <inferbench/text.hpp>

#include "reporters/common/clean_text.hpp"

namespace reporters {

namespace {

constexpr std::array<std::string_view, 8> blocks{"\u2581", "\u2582", "\u2583", "\u2584",
                                                 "\u2585", "\u2586", "\u2587", "\u2588"};
constexpr std::array<std::string_view, 8> letters{"_", ".", "-", "~", "=", "+", "*", "#"};

struct character {
  std::string_view bytes;
  std::size_t columns;
};

/// The first character of valid UTF-8, which is not empty.
character first_of(std::string_view text) {
  utf8proc_int32_t code = -1;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (length <= 0) return {text.substr(0, 1), 1};
  return {text.substr(0, static_cast<std::size_t>(length)),
          static_cast<std::size_t>(std::max(utf8proc_charwidth(code), 0))};
}

/// Characters that reorder or hide text, or end a line, although they take no column: directions,
/// zero width, separators, and the control characters of ISO 8859.
bool is_format(std::string_view bytes) {
  utf8proc_int32_t code = -1;
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
                   static_cast<utf8proc_ssize_t>(bytes.size()), &code);
  if (code < 0) return true;
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: return false;
  }
}

std::string printed(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < text.size();) {
    const character next = first_of(text.substr(i));
    out += next.columns;
    i += next.bytes.size();
  }
  return out;
}

std::string fitted(std::string_view text, std::size_t columns, bool utf8) {
  // A line never shows more bytes than this, so a huge text costs little.
  constexpr std::size_t longest = 8192;
  const std::string line = clean_line(text, longest);
  constexpr std::string_view mark = "...";
  const std::size_t room = columns >= 8 ? columns - mark.size() : columns;
  std::string out;
  std::size_t used = 0;
  std::size_t safe = 0;  // bytes of `out` that leave room for the mark
  for (std::size_t i = 0; i < line.size();) {
    const character next = first_of(std::string_view(line).substr(i));
    i += next.bytes.size();
    const bool replaced = is_format(next.bytes) || (!utf8 && next.bytes.size() > 1);
    const std::size_t width = replaced ? 1 : next.columns;
    if (used + width > columns) {
      out.resize(safe);
      if (room != columns) out += mark;
      return out;
    }
    if (replaced)
      out += is_format(next.bytes) ? ' ' : '?';
    else
      out += next.bytes;
    used += width;
    if (used <= room) safe = out.size();
  }
  return out;
}

std::string right(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(used < columns ? columns - used : 0, ' ') + std::string(text);
}

std::string left(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(text) + std::string(used < columns ? columns - used : 0, ' ');
}

std::string short_number(double value) {
  if (!std::isfinite(value)) return "?";
  const double size = std::abs(value);
  if (size >= 9.9995e8) return printed("%.3gG", value / 1e9);
  if (size >= 9.9995e5) return printed("%.3gM", value / 1e6);
  if (size >= 9999.5) return printed("%.3gk", value / 1e3);
  if (size >= 99.95 || value == std::floor(value)) return printed("%.0f", value);
  if (size >= 9.995) return printed("%.1f", value);
  return printed(size >= 0.9995 ? "%.2f" : size >= 0.0005 ? "%.3f" : "%.1g", value);
}

std::string time_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e9) return "?";
  const auto all = static_cast<std::uint64_t>(std::max(seconds, 0.0));
  char text[32];
  if (all >= 3600)
    std::snprintf(text, sizeof text, "%llu:%02u:%02u", static_cast<unsigned long long>(all / 3600),
                  static_cast<unsigned>(all / 60 % 60), static_cast<unsigned>(all % 60));
  else
    std::snprintf(text, sizeof text, "%u:%02u", static_cast<unsigned>(all / 60),
                  static_cast<unsigned>(all % 60));
  return text;
}

std::string chart_of(std::span<const double> values, std::size_t columns, bool utf8) {
  const auto shown = values.last(std::min(values.size(), columns));
  const double most = shown.empty() ? 0 : std::ranges::max(shown);
  std::string out;
  for (const double value : shown) {
    const double share = most > 0 && value > 0 ? std::min(value / most, 1.0) : 0;
    const auto step = static_cast<std::size_t>(std::lround(share * 7));
    out += (utf8 ? blocks : letters)[step];
  }
  return out;
}

std::string progress_bar_of(double share, std::size_t columns, bool utf8) {
  if (columns < 3) return {};
  const std::size_t inner = columns - 2;
  const double clamped = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  const auto full = static_cast<std::size_t>(clamped * static_cast<double>(inner));
  std::string out = "[";
  for (std::size_t i = 0; i < inner; ++i)
    out += i < full ? (utf8 ? "\u2588" : "#") : (utf8 ? "\u00b7" : ".");
  return out + "]";
}

}  // namespace reporters
