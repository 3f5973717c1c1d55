// Letter case of strings. utf8proc maps one code point to one code point. The few code points that
// become several (the unconditional part of Unicode's SpecialCasing.txt) are in a table.
#include <algorithm>
#include <array>

#include <utf8proc.h>

#include "unicode.hpp"

namespace jinja::unicode {

namespace {

struct special_case {
  char32_t from;
  const char32_t* upper;
  const char32_t* title;
};

constexpr special_case special[] = {{0x00df, U"\x0053\x0053", U"\x0053\x0073"},
                                    {0x0149, U"\x02bc\x004e", U"\x02bc\x004e"},
                                    {0x01f0, U"\x004a\x030c", U"\x004a\x030c"},
                                    {0x0390, U"\x0399\x0308\x0301", U"\x0399\x0308\x0301"},
                                    {0x03b0, U"\x03a5\x0308\x0301", U"\x03a5\x0308\x0301"},
                                    {0x0587, U"\x0535\x0552", U"\x0535\x0582"},
                                    {0x1e96, U"\x0048\x0331", U"\x0048\x0331"},
                                    {0x1e97, U"\x0054\x0308", U"\x0054\x0308"},
                                    {0x1e98, U"\x0057\x030a", U"\x0057\x030a"},
                                    {0x1e99, U"\x0059\x030a", U"\x0059\x030a"},
                                    {0x1e9a, U"\x0041\x02be", U"\x0041\x02be"},
                                    {0x1f50, U"\x03a5\x0313", U"\x03a5\x0313"},
                                    {0x1f52, U"\x03a5\x0313\x0300", U"\x03a5\x0313\x0300"},
                                    {0x1f54, U"\x03a5\x0313\x0301", U"\x03a5\x0313\x0301"},
                                    {0x1f56, U"\x03a5\x0313\x0342", U"\x03a5\x0313\x0342"},
                                    {0x1f80, U"\x1f08\x0399", U"\x1f88"},
                                    {0x1f81, U"\x1f09\x0399", U"\x1f89"},
                                    {0x1f82, U"\x1f0a\x0399", U"\x1f8a"},
                                    {0x1f83, U"\x1f0b\x0399", U"\x1f8b"},
                                    {0x1f84, U"\x1f0c\x0399", U"\x1f8c"},
                                    {0x1f85, U"\x1f0d\x0399", U"\x1f8d"},
                                    {0x1f86, U"\x1f0e\x0399", U"\x1f8e"},
                                    {0x1f87, U"\x1f0f\x0399", U"\x1f8f"},
                                    {0x1f88, U"\x1f08\x0399", U"\x1f88"},
                                    {0x1f89, U"\x1f09\x0399", U"\x1f89"},
                                    {0x1f8a, U"\x1f0a\x0399", U"\x1f8a"},
                                    {0x1f8b, U"\x1f0b\x0399", U"\x1f8b"},
                                    {0x1f8c, U"\x1f0c\x0399", U"\x1f8c"},
                                    {0x1f8d, U"\x1f0d\x0399", U"\x1f8d"},
                                    {0x1f8e, U"\x1f0e\x0399", U"\x1f8e"},
                                    {0x1f8f, U"\x1f0f\x0399", U"\x1f8f"},
                                    {0x1f90, U"\x1f28\x0399", U"\x1f98"},
                                    {0x1f91, U"\x1f29\x0399", U"\x1f99"},
                                    {0x1f92, U"\x1f2a\x0399", U"\x1f9a"},
                                    {0x1f93, U"\x1f2b\x0399", U"\x1f9b"},
                                    {0x1f94, U"\x1f2c\x0399", U"\x1f9c"},
                                    {0x1f95, U"\x1f2d\x0399", U"\x1f9d"},
                                    {0x1f96, U"\x1f2e\x0399", U"\x1f9e"},
                                    {0x1f97, U"\x1f2f\x0399", U"\x1f9f"},
                                    {0x1f98, U"\x1f28\x0399", U"\x1f98"},
                                    {0x1f99, U"\x1f29\x0399", U"\x1f99"},
                                    {0x1f9a, U"\x1f2a\x0399", U"\x1f9a"},
                                    {0x1f9b, U"\x1f2b\x0399", U"\x1f9b"},
                                    {0x1f9c, U"\x1f2c\x0399", U"\x1f9c"},
                                    {0x1f9d, U"\x1f2d\x0399", U"\x1f9d"},
                                    {0x1f9e, U"\x1f2e\x0399", U"\x1f9e"},
                                    {0x1f9f, U"\x1f2f\x0399", U"\x1f9f"},
                                    {0x1fa0, U"\x1f68\x0399", U"\x1fa8"},
                                    {0x1fa1, U"\x1f69\x0399", U"\x1fa9"},
                                    {0x1fa2, U"\x1f6a\x0399", U"\x1faa"},
                                    {0x1fa3, U"\x1f6b\x0399", U"\x1fab"},
                                    {0x1fa4, U"\x1f6c\x0399", U"\x1fac"},
                                    {0x1fa5, U"\x1f6d\x0399", U"\x1fad"},
                                    {0x1fa6, U"\x1f6e\x0399", U"\x1fae"},
                                    {0x1fa7, U"\x1f6f\x0399", U"\x1faf"},
                                    {0x1fa8, U"\x1f68\x0399", U"\x1fa8"},
                                    {0x1fa9, U"\x1f69\x0399", U"\x1fa9"},
                                    {0x1faa, U"\x1f6a\x0399", U"\x1faa"},
                                    {0x1fab, U"\x1f6b\x0399", U"\x1fab"},
                                    {0x1fac, U"\x1f6c\x0399", U"\x1fac"},
                                    {0x1fad, U"\x1f6d\x0399", U"\x1fad"},
                                    {0x1fae, U"\x1f6e\x0399", U"\x1fae"},
                                    {0x1faf, U"\x1f6f\x0399", U"\x1faf"},
                                    {0x1fb2, U"\x1fba\x0399", U"\x1fba\x0345"},
                                    {0x1fb3, U"\x0391\x0399", U"\x1fbc"},
                                    {0x1fb4, U"\x0386\x0399", U"\x0386\x0345"},
                                    {0x1fb6, U"\x0391\x0342", U"\x0391\x0342"},
                                    {0x1fb7, U"\x0391\x0342\x0399", U"\x0391\x0342\x0345"},
                                    {0x1fbc, U"\x0391\x0399", U"\x1fbc"},
                                    {0x1fc2, U"\x1fca\x0399", U"\x1fca\x0345"},
                                    {0x1fc3, U"\x0397\x0399", U"\x1fcc"},
                                    {0x1fc4, U"\x0389\x0399", U"\x0389\x0345"},
                                    {0x1fc6, U"\x0397\x0342", U"\x0397\x0342"},
                                    {0x1fc7, U"\x0397\x0342\x0399", U"\x0397\x0342\x0345"},
                                    {0x1fcc, U"\x0397\x0399", U"\x1fcc"},
                                    {0x1fd2, U"\x0399\x0308\x0300", U"\x0399\x0308\x0300"},
                                    {0x1fd3, U"\x0399\x0308\x0301", U"\x0399\x0308\x0301"},
                                    {0x1fd6, U"\x0399\x0342", U"\x0399\x0342"},
                                    {0x1fd7, U"\x0399\x0308\x0342", U"\x0399\x0308\x0342"},
                                    {0x1fe2, U"\x03a5\x0308\x0300", U"\x03a5\x0308\x0300"},
                                    {0x1fe3, U"\x03a5\x0308\x0301", U"\x03a5\x0308\x0301"},
                                    {0x1fe4, U"\x03a1\x0313", U"\x03a1\x0313"},
                                    {0x1fe6, U"\x03a5\x0342", U"\x03a5\x0342"},
                                    {0x1fe7, U"\x03a5\x0308\x0342", U"\x03a5\x0308\x0342"},
                                    {0x1ff2, U"\x1ffa\x0399", U"\x1ffa\x0345"},
                                    {0x1ff3, U"\x03a9\x0399", U"\x1ffc"},
                                    {0x1ff4, U"\x038f\x0399", U"\x038f\x0345"},
                                    {0x1ff6, U"\x03a9\x0342", U"\x03a9\x0342"},
                                    {0x1ff7, U"\x03a9\x0342\x0399", U"\x03a9\x0342\x0345"},
                                    {0x1ffc, U"\x03a9\x0399", U"\x1ffc"},
                                    {0xfb00, U"\x0046\x0046", U"\x0046\x0066"},
                                    {0xfb01, U"\x0046\x0049", U"\x0046\x0069"},
                                    {0xfb02, U"\x0046\x004c", U"\x0046\x006c"},
                                    {0xfb03, U"\x0046\x0046\x0049", U"\x0046\x0066\x0069"},
                                    {0xfb04, U"\x0046\x0046\x004c", U"\x0046\x0066\x006c"},
                                    {0xfb05, U"\x0053\x0054", U"\x0053\x0074"},
                                    {0xfb06, U"\x0053\x0054", U"\x0053\x0074"},
                                    {0xfb13, U"\x0544\x0546", U"\x0544\x0576"},
                                    {0xfb14, U"\x0544\x0535", U"\x0544\x0565"},
                                    {0xfb15, U"\x0544\x053b", U"\x0544\x056b"},
                                    {0xfb16, U"\x054e\x0546", U"\x054e\x0576"},
                                    {0xfb17, U"\x0544\x053d", U"\x0544\x056d"}};

const special_case* find(char32_t c) noexcept {
  if (c < 0xdf) return nullptr;
  const auto* const at = std::ranges::lower_bound(special, c, {}, &special_case::from);
  return at != std::end(special) && at->from == c ? at : nullptr;
}

void append_all(std::string& out, const char32_t* points) {
  for (; *points != 0; ++points)
    append(out, *points);
}

void append_upper(std::string& out, char32_t c) {
  if (c < 0x80)
    out.push_back(static_cast<char>(c >= 'a' && c <= 'z' ? c - 0x20 : c));
  else if (const special_case* const found = find(c))
    append_all(out, found->upper);
  else
    append(out, static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c))));
}

void append_title(std::string& out, char32_t c) {
  if (c < 0x80)
    append_upper(out, c);
  else if (const special_case* const found = find(c))
    append_all(out, found->title);
  else
    append(out, static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(c))));
}

bool cased(char32_t c) noexcept { return lower(c) || upper(c) || title(c); }

/// Returns whether a character inside a word is not a letter: accents, apostrophes, soft hyphens.
bool ignorable(char32_t c) noexcept {
  if (c == '\'' || c == '.' || c == ':' || c == '^' || c == '`') return true;
  if (c < 0x80) return false;
  if (c == 0xb7 || c == 0x2018 || c == 0x2019 || c == 0x2024 || c == 0x2027) return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return true;
    default: return false;
  }
}

constexpr char32_t sigma = 0x3a3;

/// Returns whether a capital sigma ends a word. If it does, it has a special lower-case form.
bool final_sigma(std::string_view text, std::size_t begin, std::size_t end) noexcept {
  bool after_letter = false;
  while (begin > 0) {
    const char32_t c = previous(text, begin);
    if (ignorable(c)) continue;
    after_letter = cased(c);
    break;
  }
  if (!after_letter) return false;
  while (end < text.size()) {
    const char32_t c = next(text, end);
    if (!ignorable(c)) return !cased(c);
  }
  return true;
}

void append_lower(std::string& out, std::string_view text, std::size_t begin, std::size_t end,
                  char32_t c) {
  if (c < 0x80)
    out.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c + 0x20 : c));
  else if (c == 0x130)
    append_all(out, U"i\x0307");
  else if (c == sigma)
    append(out, final_sigma(text, begin, end) ? 0x3c2 : 0x3c3);
  else
    append(out, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
}

/// Calls `convert(out, begin, end, c)` for each code point.
template <typename Convert>
std::string converted(std::string_view text, const Convert& convert) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next(text, at);
    convert(out, begin, at, c);
  }
  return out;
}

}  // namespace

std::string to_upper(std::string_view text) {
  return converted(
      text, [](std::string& out, std::size_t, std::size_t, char32_t c) { append_upper(out, c); });
}

std::string to_lower(std::string_view text) {
  return converted(text, [&](std::string& out, std::size_t begin, std::size_t end, char32_t c) {
    append_lower(out, text, begin, end, c);
  });
}

std::string to_title(std::string_view text) {
  bool inside = false;
  return converted(text, [&](std::string& out, std::size_t begin, std::size_t end, char32_t c) {
    if (inside)
      append_lower(out, text, begin, end, c);
    else
      append_title(out, c);
    inside = cased(c);
  });
}

std::string capitalize(std::string_view text) {
  return converted(text, [&](std::string& out, std::size_t begin, std::size_t end, char32_t c) {
    if (begin == 0)
      append_title(out, c);
    else
      append_lower(out, text, begin, end, c);
  });
}

std::string swap_case(std::string_view text) {
  return converted(text, [&](std::string& out, std::size_t begin, std::size_t end, char32_t c) {
    if (upper(c))
      append_lower(out, text, begin, end, c);
    else if (lower(c))
      append_upper(out, c);
    else
      append(out, c);
  });
}

std::string fold_case(std::string_view text) {
  return converted(text, [](std::string& out, std::size_t, std::size_t, char32_t c) {
    std::array<utf8proc_int32_t, 8> points{};
    int last = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), points.data(),
                                               points.size(), UTF8PROC_CASEFOLD, &last);
    for (std::size_t i = 0; i < points.size() && static_cast<utf8proc_ssize_t>(i) < count; ++i)
      append(out, static_cast<char32_t>(points[i]));
  });
}

}  // namespace jinja::unicode
