#include "builtins.hpp"
#include "escape.hpp"
#include "filters.hpp"
#include "json.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

/// soft_str: strings as they are, Markup included.
value soft(machine& m, const value& of) { return of.is(kind::text) ? of : m.text(str(m, of)); }

/// Calls a method of a string.
value method(machine& m, const value& of, const char* name, values given = {}) {
  arguments all;
  all.given = std::move(given);
  const value self = soft(m, of);
  return invoke(m, *find_method(self, name), self, all);
}

value upper(machine& m, value* a) { return method(m, a[0], "upper"); }
value lower(machine& m, value* a) { return method(m, a[0], "lower"); }
value capitalize(machine& m, value* a) { return method(m, a[0], "capitalize"); }
value center(machine& m, value* a) {
  return method(m, a[0], "center", {given_or(a[1], value(std::int64_t{80}))});
}
value trim(machine& m, value* a) {
  return method(m, a[0], "strip", {given_or(a[1], value::none())});
}
value string(machine& m, value* a) { return soft(m, a[0]); }
value safe(machine& m, value* a) { return is_markup(a[0]) ? a[0] : m.text(str(m, a[0]), true); }
value escape_filter(machine& m, value* a) { return escape(m, a[0]); }
value force_escape(machine& m, value* a) { return m.text(escaped(str(m, a[0])), true); }

value replace(machine& m, value* a) {
  const value self = m.text(str(m, a[0]));
  arguments given;
  given.given = {m.text(str(m, a[1])), m.text(str(m, a[2]))};
  if (!a[3].missing() && !a[3].is_none()) given.given.push_back(a[3]);
  return invoke(m, *find_method(self, "replace"), self, given);
}

value title(machine& m, value* a) {
  const value of = soft(m, a[0]);
  const std::string_view text = of.text();
  const auto separates = [](char32_t c) {
    return c == '-' || c == '(' || c == '{' || c == '[' || c == '<' || unicode::space(c);
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    std::size_t first = at;
    const bool separator = separates(unicode::next(text, first));
    for (std::size_t next = at; next < text.size(); at = next)
      if (separates(unicode::next(text, next)) != separator) break;
    out += unicode::to_upper(text.substr(begin, first - begin));
    out += unicode::to_lower(text.substr(first, at - first));
  }
  return m.text(std::move(out));
}

value indent(machine& m, value* a) {
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  if (a[0].is(kind::list)) raise("AttributeError", "'list' object has no attribute 'splitlines'");
  if (a[0].is(kind::tuple)) raise_type("can only concatenate tuple (not \"str\") to tuple");
  if (!a[0].is(kind::text))
    raise_type("unsupported operand type(s) for +=: '" + type_name(a[0]) + "' and 'str'");
  const value width = given_or(a[1], value(std::int64_t{4}));
  const value by = width.is(kind::text) ? width : calculate(m, arithmetic::mul, m.text(" "), width);
  const bool first = truth(m, a[2]);
  const bool blank = truth(m, a[3]);
  const value whole = m.text(std::string(a[0].text()) + "\n", is_markup(a[0]));
  const value lines = method(m, whole, "splitlines");
  std::string out = first ? std::string(by.text()) : std::string();
  std::size_t line = 0;
  for (const value& item : lines.as<sequence_object>().items) {
    if (line > 0) out += "\n";
    if (line++ > 0 && (blank || !item.text().empty())) out += by.text();
    out += item.text();
    m.allow(out.size());
  }
  return m.text(std::move(out), is_markup(a[0]));
}

value truncate(machine& m, value* a) {
  const std::int64_t length = a[1].missing() ? 255 : index_of(a[1]);
  const bool kill = truth(m, a[2]);
  const value end = given_or(a[3], m.text("..."));
  const std::int64_t leeway = a[4].missing() || a[4].is_none() ? 5 : index_of(a[4]);
  const auto size_of = [&](const value& of) {
    const auto size = length_of(m, of);
    if (!size) raise_type("object of type '" + type_name(of) + "' has no len()");
    return *size;
  };
  const std::int64_t tail = size_of(end);
  if (length < tail)
    raise("AssertionError",
          "expected length >= " + std::to_string(tail) + ", got " + std::to_string(length));
  if (leeway < 0) raise("AssertionError", "expected leeway >= 0, got " + std::to_string(leeway));
  if (size_of(a[0]) <= length + std::min(leeway, INT64_MAX - length)) return a[0];
  const value cut = slice(m, a[0], {}, value(length - tail), {});
  if (kill) return calculate(m, arithmetic::add, cut, end);
  if (!cut.is(kind::text))
    raise("AttributeError", "'" + type_name(cut) + "' object has no attribute 'rsplit'");
  const std::size_t space = cut.text().rfind(' ');
  const value words = m.text(cut.text().substr(0, space), is_markup(cut));
  return calculate(m, arithmetic::add, words, end);
}

value word_count(machine& m, value* a) {
  const value of = soft(m, a[0]);
  std::int64_t count = 0;
  bool inside = false;
  for (std::size_t at = 0; at < of.text().size();) {
    const bool word = unicode::word(unicode::next(of.text(), at));
    if (word && !inside) ++count;
    inside = word;
  }
  return value(count);
}

std::string url_quoted(std::string_view text, bool query) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '.' || c == '-' || c == '~' || (c == '/' && !query);
    const auto byte = static_cast<unsigned char>(c);
    if (plain)
      out.push_back(c);
    else if (c == ' ' && query)
      out.push_back('+');
    else
      out += {'%', "0123456789ABCDEF"[byte >> 4U], "0123456789ABCDEF"[byte & 0xfU]};
  }
  return out;
}

value url_encode(machine& m, value* a) {
  if (a[0].is(kind::text) || !iterable(a[0])) return m.text(url_quoted(str(m, a[0]), false));
  value items = a[0];
  if (items.is(kind::dict)) items = m.make<view_object>(items, view_object::part::items);
  std::string out;
  for (const value& item : to_values(m, items)) {
    if (!iterable(item)) raise_type("cannot unpack non-iterable " + type_name(item) + " object");
    const values pair = to_values(m, item);
    if (pair.size() != 2)
      raise_value(pair.size() > 2 ? "too many values to unpack (expected 2)"
                                  : "not enough values to unpack (expected 2, got " +
                                        std::to_string(pair.size()) + ")");
    if (!out.empty()) out += "&";
    out += url_quoted(str(m, pair[0]), true) + "=" + url_quoted(str(m, pair[1]), true);
    m.allow(out.size());
  }
  return m.text(std::move(out));
}

value xml_attributes(machine& m, value* a) {
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  if (!a[0].is(kind::dict))
    raise("AttributeError", "'" + type_name(a[0]) + "' object has no attribute 'items'");
  std::string out;
  for (const auto& [key, of] : a[0].as<dict_object>().items) {
    if (of.is_none() || of.is(kind::undefined)) continue;
    if (!key.is(kind::text))
      raise_type("expected string or bytes-like object, got '" + type_name(key) + "'");
    if (key.text().find_first_of(" \t\n\r\f\v/>=") != std::string_view::npos)
      raise_value("Invalid character in attribute name: " + repr(m, key));
    if (!out.empty()) out += " ";
    out += std::string(escape(m, key).text()) + "=\"" + std::string(escape(m, of).text()) + "\"";
    m.allow(out.size());
  }
  if (!out.empty() && (a[1].missing() || truth(m, a[1]))) out.insert(0, " ");
  return m.text(std::move(out));
}

value to_json(machine& m, value* a) {
  json_layout how;
  how.ascii = truth(m, a[1]);
  how.sorted = truth(m, a[4]);
  if (!a[2].missing() && !a[2].is_none()) {
    const value by = a[2].is(kind::text) ? a[2] : calculate(m, arithmetic::mul, m.text(" "), a[2]);
    how.indent = std::string(by.text());
    how.between_items = ",";
  }
  if (!a[3].missing() && !a[3].is_none()) {
    const values parts = to_values(m, a[3]);
    if (parts.size() != 2)
      raise_value(parts.size() > 2 ? "too many values to unpack (expected 2)"
                                   : "not enough values to unpack (expected 2, got " +
                                         std::to_string(parts.size()) + ")");
    for (const value& part : parts)
      if (!part.is(kind::text)) raise_type("separators must be strings");
    how.between_items = parts[0].text();
    how.after_key = parts[1].text();
  }
  std::string out;
  write_json(m, out, a[0], how);
  return m.text(std::move(out));
}

value format(machine& m, const value&, arguments& given) {
  if (given.given.empty())
    raise_type("do_format() missing 1 required positional argument: 'value'");
  const value of = soft(m, given.given[0]);
  given.given.erase(given.given.begin());
  if (!given.given.empty() && !given.named.empty())
    raise("FilterArgumentError", "can't handle positional and keyword arguments at the same time");
  if (given.named.empty()) return percent(m, of, m.tuple(std::move(given.given)));
  auto* const names = m.dict(given.named.size());
  const value all(names);
  for (const named_argument& named : given.named)
    names->put(named.name, named.content);
  return percent(m, of, all);
}

constexpr entry text_entries[] = {
    {"upper", {"do_upper", {"s"}, 1, upper}},
    {"lower", {"do_lower", {"s"}, 1, lower}},
    {"capitalize", {"do_capitalize", {"s"}, 1, capitalize}},
    {"title", {"do_title", {"s"}, 1, title}},
    {"center", {"do_center", {"value", "width"}, 1, center}},
    {"trim", {"do_trim", {"value", "chars"}, 1, trim}},
    {"string", {"soft_str", {"s"}, 1, string, manner::positional}},
    {"safe", {"do_mark_safe", {"value"}, 1, safe}},
    {"e", {"escape", {"s"}, 1, escape_filter, manner::positional}},
    {"escape", {"escape", {"s"}, 1, escape_filter, manner::positional}},
    {"forceescape", {"do_forceescape", {"value"}, 1, force_escape}},
    {"replace", {"do_replace", {"s", "old", "new", "count"}, 3, replace, manner::python, 1}},
    {"indent", {"do_indent", {"s", "width", "first", "blank"}, 1, indent}},
    {"truncate",
     {"do_truncate",
      {"s", "length", "killwords", "end", "leeway"},
      1,
      truncate,
      manner::python,
      1}},
    {"wordcount", {"do_wordcount", {"s"}, 1, word_count}},
    {"urlencode", {"do_urlencode", {"value"}, 1, url_encode}},
    {"xmlattr", {"do_xmlattr", {"d", "autospace"}, 1, xml_attributes, manner::python, 1}},
    {"tojson", {"tojson", {"x", "ensure_ascii", "indent", "separators", "sort_keys"}, 1, to_json}},
    {"format", {.name = "do_format", .open = format}},
};

}  // namespace

std::span<const entry> text_filters() { return text_entries; }

}  // namespace jinja
