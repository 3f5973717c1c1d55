#include <algorithm>

#include "escape.hpp"
#include "format.hpp"
#include "methods.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

enum class side : std::uint8_t { left, right, both };

template <side To>
value pad(rendering& r, value* a) {
  const std::int64_t width = index_of(a[1]);
  value fill = given_or(a[2], value());
  if (!fill.missing()) {
    if (!fill.is(kind::text))
      raise_type("The fill character must be a unicode character, not " + type_name(fill));
    if (is_markup(a[0])) fill = escape(r, fill);
    if (fill.as<text_object>().length() != 1)
      raise_type("The fill character must be exactly one character long");
  }
  const std::string_view one = fill.missing() ? " " : fill.text();
  const auto size = static_cast<std::int64_t>(a[0].as<text_object>().length());
  const std::int64_t room = std::max<std::int64_t>(width - size, 0);
  r.allow(static_cast<std::size_t>(room) * one.size());
  const std::int64_t left = To == side::left    ? 0
                            : To == side::right ? room
                                                : room / 2 + (room & width & 1);
  std::string out;
  for (std::int64_t i = 0; i < left; ++i)
    out += one;
  out += a[0].text();
  for (std::int64_t i = left; i < room; ++i)
    out += one;
  return like(r, a[0], out);
}

value zero_fill(rendering& r, value* a) {
  const auto size = static_cast<std::int64_t>(a[0].as<text_object>().length());
  const std::int64_t room = std::max<std::int64_t>(index_of(a[1]) - size, 0);
  r.allow(static_cast<std::size_t>(room));
  std::string out(a[0].text());
  const bool sign = !out.empty() && (out[0] == '-' || out[0] == '+');
  out.insert(sign ? 1 : 0, static_cast<std::size_t>(room), '0');
  return like(r, a[0], out);
}

value expand_tabs(rendering& r, value* a) {
  const std::int64_t every = a[1].missing() ? 8 : index_of(a[1]);
  std::string out;
  std::int64_t column = 0;
  const std::string_view text = a[0].text();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = unicode::next(text, at);
    if (c != '\t') {
      column = c == '\n' || c == '\r' ? 0 : column + 1;
      out += text.substr(begin, at - begin);
    } else if (every > 0) {
      const std::int64_t room = every - column % every;
      r.allow(out.size() + static_cast<std::size_t>(room));
      out.append(static_cast<std::size_t>(room), ' ');
      column += room;
    }
  }
  return like(r, a[0], out);
}

value format(rendering& r, const value& self, arguments& given) {
  return format_braces(r, self, given);
}

value format_map(rendering& r, value* a) {
  if (!a[1].is(kind::dict)) raise_type("format_map() wants a dict here");
  arguments given;
  for (const auto& [key, content] : a[1].as<dict_object>().items)
    if (key.is(kind::text)) given.named.push_back({key, content});
  return format_braces(r, a[0], given);
}

constexpr char name_encode[] = "encode";
constexpr char name_maketrans[] = "maketrans";
constexpr char name_translate[] = "translate";
template <const char* method>
value left_out(rendering&, const value&, arguments&) {
  raise_unsupported(std::string("str.") + method);
}

constexpr entry layout_entries[] = {
    {"format", {.name = "format", .open = format}},
    {"format_map", text_method("format_map", {"mapping"}, 1, format_map)},
    {"center", text_method("center", {"width", "fillchar"}, 1, pad<side::both>)},
    {"ljust", text_method("ljust", {"width", "fillchar"}, 1, pad<side::left>)},
    {"rjust", text_method("rjust", {"width", "fillchar"}, 1, pad<side::right>)},
    {"zfill", text_method("zfill", {"width"}, 1, zero_fill)},
    {"expandtabs", text_method("expandtabs", {"tabsize"}, 0, expand_tabs, manner::keywords)},
    {"encode", {.name = name_encode, .open = left_out<name_encode>}},
    {"translate", {.name = name_translate, .open = left_out<name_translate>}},
    {"maketrans", {.name = name_maketrans, .open = left_out<name_maketrans>}},
};

}  // namespace

std::span<const entry> layout_methods() { return layout_entries; }

}  // namespace jinja
