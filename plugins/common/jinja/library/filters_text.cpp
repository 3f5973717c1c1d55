#include <algorithm>

#include <inferbench/text.hpp>

#include "builtins.hpp"
#include "common/jinja/python/escape.hpp"
#include "common/jinja/python/json.hpp"
#include "common/jinja/python/python.hpp"
#include "common/jinja/python/unicode.hpp"
#include "filters.hpp"

namespace jinja {

namespace {

/// soft_str: returns strings unchanged, also Markup.
value soft(rendering& r, const value& of) { return of.is(kind::text) ? of : r.text(str(r, of)); }

/// Calls a method of a string.
value method(rendering& r, const value& of, const char* name, values given = {}) {
  arguments all;
  all.given = std::move(given);
  const value self = soft(r, of);
  return invoke(r, *find_method(self, name), self, all);
}

value upper(rendering& r, value* a) { return method(r, a[0], "upper"); }
value lower(rendering& r, value* a) { return method(r, a[0], "lower"); }
value capitalize(rendering& r, value* a) { return method(r, a[0], "capitalize"); }
value center(rendering& r, value* a) {
  return method(r, a[0], "center", {given_or(a[1], value(std::int64_t{80}))});
}
value trim(rendering& r, value* a) {
  return method(r, a[0], "strip", {given_or(a[1], value::none())});
}
value string(rendering& r, value* a) { return soft(r, a[0]); }
value safe(rendering& r, value* a) { return is_markup(a[0]) ? a[0] : r.text(str(r, a[0]), true); }
value escape_filter(rendering& r, value* a) { return escape(r, a[0]); }
value force_escape(rendering& r, value* a) { return r.text(escaped(str(r, a[0])), true); }

value replace(rendering& r, value* a) {
  const value self = r.text(str(r, a[0]));
  arguments given;
  given.given = {r.text(str(r, a[1])), r.text(str(r, a[2]))};
  if (!a[3].missing() && !a[3].is_none()) given.given.push_back(a[3]);
  return invoke(r, *find_method(self, "replace"), self, given);
}

value title(rendering& r, value* a) {
  const value of = soft(r, a[0]);
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
  return r.text(std::move(out));
}

value indent(rendering& r, value* a) {
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  if (a[0].is(kind::list)) raise("AttributeError", "'list' object has no attribute 'splitlines'");
  if (a[0].is(kind::tuple)) raise_type("can only concatenate tuple (not \"str\") to tuple");
  if (!a[0].is(kind::text))
    raise_type("unsupported operand type(s) for +=: '" + type_name(a[0]) + "' and 'str'");
  const value width = given_or(a[1], value(std::int64_t{4}));
  const value by = width.is(kind::text) ? width : calculate(r, arithmetic::mul, r.text(" "), width);
  const bool first = truth(r, a[2]);
  const bool blank = truth(r, a[3]);
  const value whole = r.text(std::string(a[0].text()) + "\n", is_markup(a[0]));
  const value lines = method(r, whole, "splitlines");
  std::string out = first ? std::string(by.text()) : std::string();
  std::size_t line = 0;
  for (const value& item : lines.as<sequence_object>().items) {
    if (line > 0) out += "\n";
    if (line++ > 0 && (blank || !item.text().empty())) out += by.text();
    out += item.text();
    r.allow(out.size());
  }
  return r.text(std::move(out), is_markup(a[0]));
}

value truncate(rendering& r, value* a) {
  const std::int64_t length = a[1].missing() ? 255 : index_of(a[1]);
  const bool kill = truth(r, a[2]);
  const value end = given_or(a[3], r.text("..."));
  const std::int64_t leeway = a[4].missing() || a[4].is_none() ? 5 : index_of(a[4]);
  const auto size_of = [&](const value& of) {
    const auto size = length_of(r, of);
    if (!size) raise_type("object of type '" + type_name(of) + "' has no len()");
    return *size;
  };
  const std::int64_t tail = size_of(end);
  if (length < tail)
    raise("AssertionError",
          "expected length >= " + std::to_string(tail) + ", got " + std::to_string(length));
  if (leeway < 0) raise("AssertionError", "expected leeway >= 0, got " + std::to_string(leeway));
  if (size_of(a[0]) <= length + std::min(leeway, INT64_MAX - length)) return a[0];
  const value cut = slice(r, a[0], {}, value(length - tail), {});
  if (kill) return calculate(r, arithmetic::add, cut, end);
  if (!cut.is(kind::text))
    raise("AttributeError", "'" + type_name(cut) + "' object has no attribute 'rsplit'");
  const std::size_t space = cut.text().rfind(' ');
  const value words = r.text(cut.text().substr(0, space), is_markup(cut));
  return calculate(r, arithmetic::add, words, end);
}

value word_count(rendering& r, value* a) {
  const value of = soft(r, a[0]);
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
  std::string out = ifb::percent_encoded(text, query ? " " : "/");
  if (query) std::ranges::replace(out, ' ', '+');
  return out;
}

value url_encode(rendering& r, value* a) {
  if (a[0].is(kind::text) || !iterable(a[0])) return r.text(url_quoted(str(r, a[0]), false));
  value items = a[0];
  if (items.is(kind::dict)) items = r.make<view_object>(items, view_object::part::items);
  std::string out;
  for (const value& item : to_values(r, items)) {
    if (!iterable(item)) raise_type("cannot unpack non-iterable " + type_name(item) + " object");
    const values pair = to_values(r, item);
    if (pair.size() != 2)
      raise_value(pair.size() > 2 ? "too many values to unpack (expected 2)"
                                  : "not enough values to unpack (expected 2, got " +
                                        std::to_string(pair.size()) + ")");
    if (!out.empty()) out += "&";
    out += url_quoted(str(r, pair[0]), true) + "=" + url_quoted(str(r, pair[1]), true);
    r.allow(out.size());
  }
  return r.text(std::move(out));
}

value xml_attributes(rendering& r, value* a) {
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  if (!a[0].is(kind::dict))
    raise("AttributeError", "'" + type_name(a[0]) + "' object has no attribute 'items'");
  std::string out;
  for (const auto& [key, of] : a[0].as<dict_object>().items) {
    if (of.is_none() || of.is(kind::undefined)) continue;
    if (!key.is(kind::text))
      raise_type("expected string or bytes-like object, got '" + type_name(key) + "'");
    if (key.text().find_first_of(" \t\n\r\f\v/>=") != std::string_view::npos)
      raise_value("Invalid character in attribute name: " + repr(r, key));
    if (!out.empty()) out += " ";
    out += std::string(escape(r, key).text()) + "=\"" + std::string(escape(r, of).text()) + "\"";
    r.allow(out.size());
  }
  if (!out.empty() && (a[1].missing() || truth(r, a[1]))) out.insert(0, " ");
  return r.text(std::move(out));
}

value to_json(rendering& r, value* a) {
  json_layout how;
  how.ascii = truth(r, a[1]);
  how.sorted = truth(r, a[4]);
  if (!a[2].missing() && !a[2].is_none()) {
    const value by = a[2].is(kind::text) ? a[2] : calculate(r, arithmetic::mul, r.text(" "), a[2]);
    how.indent = std::string(by.text());
    how.between_items = ",";
  }
  if (!a[3].missing() && !a[3].is_none()) {
    const values parts = to_values(r, a[3]);
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
  write_json(r, out, a[0], how);
  return r.text(std::move(out));
}

value format(rendering& r, const value&, arguments& given) {
  if (given.given.empty())
    raise_type("do_format() missing 1 required positional argument: 'value'");
  const value of = soft(r, given.given[0]);
  given.given.erase(given.given.begin());
  if (!given.given.empty() && !given.named.empty())
    raise("FilterArgumentError", "can't handle positional and keyword arguments at the same time");
  if (given.named.empty()) return percent(r, of, r.tuple(std::move(given.given)));
  auto* const names = r.dict(given.named.size());
  const value all(names);
  for (const named_argument& named : given.named)
    names->put(named.name, named.content);
  return percent(r, of, all);
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
