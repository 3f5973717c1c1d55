#include <algorithm>

#include "escape.hpp"
#include "methods.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

/// The part of a string between two indices, with the rules of str.find.
struct window {
  std::string_view text;
  std::int64_t start = 0;
};

std::optional<window> window_of(rendering& r, const value& of, const value& from, const value& to) {
  r.work(of.text().size());
  if (from.missing() && to.missing()) return window{of.text(), 0};
  const auto size = static_cast<std::int64_t>(of.as<text_object>().length());
  const auto bound = [&](const value& argument, std::int64_t fallback) {
    if (argument.missing() || argument.is_none()) return fallback;
    if (!argument.is_whole())
      raise_type("slice indices must be integers or None or have an __index__ method");
    const std::int64_t at = argument.integer();
    return at < 0 ? std::max<std::int64_t>(at + size, 0) : at;
  };
  const std::int64_t start = bound(from, 0);
  const std::int64_t end = std::min(bound(to, size), size);
  if (start > end) return std::nullopt;
  const std::size_t begin = unicode::offset(of.text(), static_cast<std::size_t>(start));
  const std::string_view rest = of.text().substr(begin);
  return window{rest.substr(0, unicode::offset(rest, static_cast<std::size_t>(end - start))),
                start};
}

std::int64_t search(rendering& r, value* a, bool last) {
  if (!a[1].is(kind::text)) raise_type("must be str, not " + type_name(a[1]));
  const auto in = window_of(r, a[0], a[2], a[3]);
  if (!in) return -1;
  r.search(in->text.size(), a[1].text().size());
  const std::size_t at = last ? in->text.rfind(a[1].text()) : in->text.find(a[1].text());
  if (at == std::string_view::npos) return -1;
  return in->start + static_cast<std::int64_t>(unicode::length(in->text.substr(0, at)));
}

value find(rendering& r, value* a) { return value(search(r, a, false)); }
value find_last(rendering& r, value* a) { return value(search(r, a, true)); }

value found(std::int64_t at) {
  if (at < 0) raise_value("substring not found");
  return value(at);
}

value index(rendering& r, value* a) { return found(search(r, a, false)); }
value index_last(rendering& r, value* a) { return found(search(r, a, true)); }

value count(rendering& r, value* a) {
  if (!a[1].is(kind::text)) raise_type("must be str, not " + type_name(a[1]));
  const auto in = window_of(r, a[0], a[2], a[3]);
  if (!in) return value(std::int64_t{0});
  const std::string_view part = a[1].text();
  r.search(in->text.size(), part.size());
  if (part.empty()) return value(static_cast<std::int64_t>(unicode::length(in->text)) + 1);
  std::int64_t out = 0;
  for (std::size_t at = in->text.find(part); at != std::string_view::npos;
       at = in->text.find(part, at + part.size()))
    ++out;
  return value(out);
}

template <bool Start>
value matches(rendering& r, value* a) {
  const std::string name = Start ? "startswith" : "endswith";
  const auto in = window_of(r, a[0], a[2], a[3]);
  const auto one = [&](const value& part) {
    if (!in) return false;
    return Start ? in->text.starts_with(part.text()) : in->text.ends_with(part.text());
  };
  if (a[1].is(kind::text)) return value(one(a[1]));
  if (!a[1].is(kind::tuple))
    raise_type(name + " first arg must be str or a tuple of str, not " + type_name(a[1]));
  for (const value& part : a[1].as<sequence_object>().items) {
    if (!part.is(kind::text))
      raise_type("tuple for " + name + " must only contain str, not " + type_name(part));
    if (one(part)) return value(true);
  }
  return value(false);
}

value replace(rendering& r, value* a) {
  for (int i = 1; i <= 2; ++i)
    if (!a[i].is(kind::text))
      raise_type("replace() argument " + std::to_string(i) + " must be str, not " +
                 type_name(a[i]));
  const std::string_view text = a[0].text();
  const std::string_view old = a[1].text();
  r.search(text.size(), old.size());
  const bool markup = is_markup(a[0]);
  const value escaped_new = markup ? escape(r, a[2]) : a[2];
  const std::string_view by = escaped_new.text();
  std::int64_t left = a[3].missing() ? -1 : index_of(a[3]);
  std::string out;
  std::size_t at = 0;
  while (left != 0) {
    const std::size_t found_at = at <= text.size() ? text.find(old, at) : std::string_view::npos;
    if (found_at == std::string_view::npos) break;
    out += text.substr(at, found_at - at);
    out += by;
    at = found_at + old.size();
    --left;
    if (old.empty()) {
      // Between any two characters, and at both ends.
      if (at < text.size()) out += text.substr(at, unicode::width(text[at]));
      at += at < text.size() ? unicode::width(text[at]) : 1;
    }
    r.allow(out.size());
    r.work(by.size());
  }
  if (at < text.size()) out += text.substr(at);
  return r.text(std::move(out), markup);
}

constexpr std::array<std::string_view, 6> within = {"sub", "start", "end"};

constexpr entry search_entries[] = {
    {"startswith", text_method("startswith", within, 1, matches<true>)},
    {"endswith", text_method("endswith", within, 1, matches<false>)},
    {"replace", text_method("replace", {"old", "new", "count"}, 2, replace)},
    {"find", text_method("find", within, 1, find)},
    {"rfind", text_method("rfind", within, 1, find_last)},
    {"index", text_method("index", within, 1, index)},
    {"rindex", text_method("rindex", within, 1, index_last)},
    {"count", text_method("count", within, 1, count)},
};

}  // namespace

std::span<const entry> search_methods() { return search_entries; }

}  // namespace jinja
