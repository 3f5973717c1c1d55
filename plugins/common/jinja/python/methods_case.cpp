#include "methods.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

template <std::string (*Convert)(std::string_view)>
value converted(rendering& r, value* a) {
  return like(r, a[0], Convert(a[0].text()));
}

/// Returns whether the string is not empty and all its characters pass `test`.
template <typename Test>
value all(const value& of, const Test& test) {
  const std::string_view text = of.text();
  for (std::size_t at = 0; at < text.size();)
    if (!test(unicode::next(text, at))) return value(false);
  return value(!text.empty());
}

value is_letters(rendering&, value* a) { return all(a[0], unicode::letter); }
value is_decimal(rendering&, value* a) { return all(a[0], unicode::decimal); }
value is_digits(rendering&, value* a) { return all(a[0], unicode::digit); }
value is_numeric(rendering&, value* a) { return all(a[0], unicode::numeric); }
value is_space(rendering&, value* a) { return all(a[0], unicode::space); }
value is_letters_or_digits(rendering&, value* a) {
  return all(a[0], [](char32_t c) { return unicode::letter(c) || unicode::numeric(c); });
}
value is_printable(rendering&, value* a) {
  return value(a[0].text().empty() || all(a[0], unicode::printable).boolean());
}
value is_ascii(rendering&, value* a) {
  return value(a[0].text().empty() || all(a[0], [](char32_t c) { return c < 0x80; }).boolean());
}

value is_identifier(rendering&, value* a) {
  bool first = true;
  return all(a[0], [&](char32_t c) {
    return std::exchange(first, false) ? unicode::identifier_start(c) : unicode::identifier(c);
  });
}

/// Returns whether the string has letters with a case, and all of them have the wanted case.
value is_case(const value& of, bool (*wanted)(char32_t) noexcept,
              bool (*other)(char32_t) noexcept) {
  bool any = false;
  const bool only = all(of, [&](char32_t c) {
                      any = any || wanted(c);
                      return !other(c) && !unicode::title(c);
                    }).boolean();
  return value(only && any);
}

value is_lower(rendering&, value* a) { return is_case(a[0], unicode::lower, unicode::upper); }
value is_upper(rendering&, value* a) { return is_case(a[0], unicode::upper, unicode::lower); }

value is_title(rendering&, value* a) {
  bool inside = false;
  bool any = false;
  const bool good = all(a[0], [&](char32_t c) {
                      const bool capital = unicode::upper(c) || unicode::title(c);
                      const bool small = unicode::lower(c);
                      const bool fits = capital ? !inside : !small || inside;
                      inside = capital || small;
                      any = any || inside;
                      return fits;
                    }).boolean();
  return value(good && any);
}

constexpr signature plain(const char* name, plain_function run) {
  return text_method(name, {}, 0, run);
}

constexpr entry case_entries[] = {
    {"upper", plain("upper", converted<unicode::to_upper>)},
    {"lower", plain("lower", converted<unicode::to_lower>)},
    {"title", plain("title", converted<unicode::to_title>)},
    {"capitalize", plain("capitalize", converted<unicode::capitalize>)},
    {"swapcase", plain("swapcase", converted<unicode::swap_case>)},
    {"casefold", plain("casefold", converted<unicode::fold_case>)},
    {"isalpha", plain("isalpha", is_letters)},
    {"isdecimal", plain("isdecimal", is_decimal)},
    {"isdigit", plain("isdigit", is_digits)},
    {"isnumeric", plain("isnumeric", is_numeric)},
    {"isalnum", plain("isalnum", is_letters_or_digits)},
    {"isspace", plain("isspace", is_space)},
    {"islower", plain("islower", is_lower)},
    {"isupper", plain("isupper", is_upper)},
    {"istitle", plain("istitle", is_title)},
    {"isprintable", plain("isprintable", is_printable)},
    {"isascii", plain("isascii", is_ascii)},
    {"isidentifier", plain("isidentifier", is_identifier)},
};

}  // namespace

std::span<const entry> case_methods() { return case_entries; }

}  // namespace jinja
