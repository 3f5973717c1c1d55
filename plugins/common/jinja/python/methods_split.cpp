#include <algorithm>

#include "escape.hpp"
#include "methods.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

value like(rendering& r, const value& model, std::string_view text) {
  return r.text(text, is_markup(model));
}

namespace {

std::size_t limit_of(const value& argument) {
  const std::int64_t limit = argument.missing() ? -1 : index_of(argument);
  return limit < 0 ? SIZE_MAX : static_cast<std::size_t>(limit);
}

/// Returns the pieces between white space, counted from the left or from the right.
std::vector<std::string_view> words(std::string_view text, std::size_t limit, bool from_right) {
  std::vector<std::string_view> out;
  const auto strip = from_right ? unicode::strip_right : unicode::strip_left;
  const auto end = from_right ? unicode::strip_left : unicode::strip_right;
  for (std::string_view rest = strip(text); !rest.empty(); rest = strip(rest)) {
    if (out.size() == limit) {
      out.push_back(end(rest));
      break;
    }
    std::size_t at = from_right ? rest.size() : 0;
    while (from_right ? at > 0 : at < rest.size()) {
      std::size_t next = at;
      const char32_t c = from_right ? unicode::previous(rest, next) : unicode::next(rest, next);
      if (unicode::space(c)) break;
      at = next;
    }
    out.push_back(from_right ? rest.substr(at) : rest.substr(0, at));
    rest = from_right ? rest.substr(0, at) : rest.substr(at);
  }
  return out;
}

std::vector<std::string_view> pieces(std::string_view text, std::string_view by, std::size_t limit,
                                     bool from_right) {
  std::vector<std::string_view> out;
  while (out.size() < limit) {
    const std::size_t at = from_right ? text.rfind(by) : text.find(by);
    if (at == std::string_view::npos) break;
    out.push_back(from_right ? text.substr(at + by.size()) : text.substr(0, at));
    text = from_right ? text.substr(0, at) : text.substr(at + by.size());
  }
  out.push_back(text);
  return out;
}

value split_from(rendering& r, value* a, bool from_right) {
  const std::string_view text = a[0].text();
  r.work(text.size());
  std::vector<std::string_view> parts;
  if (a[1].missing() || a[1].is_none()) {
    parts = words(text, limit_of(a[2]), from_right);
  } else {
    if (!a[1].is(kind::text)) raise_type("must be str or None, not " + type_name(a[1]));
    const std::size_t limit = limit_of(a[2]);
    if (a[1].text().empty()) raise_value("empty separator");
    r.search(text.size(), a[1].text().size());
    parts = pieces(text, a[1].text(), limit, from_right);
  }
  if (from_right) std::ranges::reverse(parts);
  r.allow(parts.size() * sizeof(value));
  values out;
  out.reserve(parts.size());
  for (const std::string_view part : parts)
    out.push_back(like(r, a[0], part));
  return r.list(std::move(out));
}

value split(rendering& r, value* a) { return split_from(r, a, false); }
value split_right(rendering& r, value* a) { return split_from(r, a, true); }

value split_lines(rendering& r, value* a) {
  const std::string_view text = a[0].text();
  const bool keep = !a[1].missing() && truth(r, a[1]);
  values out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = at;
    const char32_t c = unicode::next(text, at);
    if (!unicode::line_break(c)) continue;
    if (c == '\r' && at < text.size() && text[at] == '\n') ++at;
    out.push_back(like(r, a[0], text.substr(begin, (keep ? at : end) - begin)));
    r.allow(out.size() * sizeof(value));
    begin = at;
  }
  if (begin < text.size()) out.push_back(like(r, a[0], text.substr(begin)));
  return r.list(std::move(out));
}

value partition_from(rendering& r, value* a, bool from_right) {
  if (!a[1].is(kind::text)) raise_type("must be str, not " + type_name(a[1]));
  const std::string_view by = a[1].text();
  if (by.empty()) raise_value("empty separator");
  const std::string_view text = a[0].text();
  r.search(text.size(), by.size());
  const std::size_t at = from_right ? text.rfind(by) : text.find(by);
  if (at == std::string_view::npos) {
    const value nothing = like(r, a[0], "");
    const value all = like(r, a[0], text);
    return r.tuple(from_right ? values{nothing, nothing, all} : values{all, nothing, nothing});
  }
  return r.tuple({like(r, a[0], text.substr(0, at)), like(r, a[0], by),
                  like(r, a[0], text.substr(at + by.size()))});
}

value partition(rendering& r, value* a) { return partition_from(r, a, false); }
value partition_right(rendering& r, value* a) { return partition_from(r, a, true); }

value join(rendering& r, value* a) {
  if (!iterable(a[1])) raise_type("can only join an iterable");
  const bool markup = is_markup(a[0]);
  std::string out;
  const value iterator = iterate(r, a[1]);
  value item;
  for (std::size_t i = 0; advance(r, iterator, item); ++i) {
    if (i > 0) out += a[0].text();
    if (markup)
      out += escape(r, item).text();
    else if (item.is(kind::text))
      out += item.text();
    else
      raise_type("sequence item " + std::to_string(i) + ": expected str instance, " +
                 type_name(item) + " found");
    r.allow(out.size());
  }
  return r.text(std::move(out), markup);
}

/// Strips white space, or all characters that the argument contains.
template <bool Left, bool Right>
value strip(rendering& r, value* a) {
  std::string_view text = a[0].text();
  if (a[1].missing() || a[1].is_none()) {
    if (Left) text = unicode::strip_left(text);
    if (Right) text = unicode::strip_right(text);
    return text.size() == a[0].text().size() ? a[0] : like(r, a[0], text);
  }
  if (!a[1].is(kind::text))
    raise_type(std::string(Left && Right ? "strip"
                           : Left        ? "lstrip"
                                         : "rstrip") +
               " arg must be None or str");
  const std::string_view chars = a[1].text();
  while (Left && !text.empty()) {
    const std::size_t size = unicode::width(text[0]);
    if (chars.find(text.substr(0, size)) == std::string_view::npos) break;
    text.remove_prefix(size);
    r.work(chars.size());
  }
  while (Right && !text.empty()) {
    std::size_t at = text.size();
    static_cast<void>(unicode::previous(text, at));
    if (chars.find(text.substr(at)) == std::string_view::npos) break;
    text = text.substr(0, at);
    r.work(chars.size());
  }
  return like(r, a[0], text);
}

template <bool Prefix>
value remove(rendering& r, value* a) {
  if (!a[1].is(kind::text))
    raise_type(std::string(Prefix ? "removeprefix" : "removesuffix") +
               "() argument must be str, not " + type_name(a[1]));
  const std::string_view text = a[0].text();
  const std::string_view part = a[1].text();
  if (Prefix && text.starts_with(part)) return like(r, a[0], text.substr(part.size()));
  if (!Prefix && !part.empty() && text.ends_with(part))
    return like(r, a[0], text.substr(0, text.size() - part.size()));
  return a[0];
}

constexpr entry split_entries[] = {
    {"split", text_method("split", {"sep", "maxsplit"}, 0, split, manner::keywords)},
    {"strip", text_method("strip", {"chars"}, 0, strip<true, true>)},
    {"lstrip", text_method("lstrip", {"chars"}, 0, strip<true, false>)},
    {"rstrip", text_method("rstrip", {"chars"}, 0, strip<false, true>)},
    {"rsplit", text_method("rsplit", {"sep", "maxsplit"}, 0, split_right, manner::keywords)},
    {"splitlines", text_method("splitlines", {"keepends"}, 0, split_lines, manner::keywords)},
    {"partition", text_method("partition", {"sep"}, 1, partition)},
    {"rpartition", text_method("rpartition", {"sep"}, 1, partition_right)},
    {"join", text_method("join", {"iterable"}, 1, join)},
    {"removeprefix", text_method("removeprefix", {"prefix"}, 1, remove<true>)},
    {"removesuffix", text_method("removesuffix", {"suffix"}, 1, remove<false>)},
};

}  // namespace

std::span<const entry> split_methods() { return split_entries; }

}  // namespace jinja
