#include <algorithm>

#include "common/jinja/python/iterate.hpp"
#include "common/jinja/python/python.hpp"
#include "common/jinja/python/unicode.hpp"
#include "filters.hpp"

namespace jinja {

namespace {

value length(rendering& r, value* a) {
  const auto out = length_of(r, a[0]);
  if (!out) raise_type("object of type '" + type_name(a[0]) + "' has no len()");
  return value(*out);
}

value list(rendering& r, value* a) { return r.list(to_values(r, a[0])); }

value first(rendering& r, value* a) {
  value out;
  if (advance(r, iterate(r, a[0]), out)) return out;
  return r.undefined("No first item, sequence was empty.");
}

bool reversible(const value& of) {
  return of.is(kind::text) || of.is(kind::list) || of.is(kind::tuple) || of.is(kind::dict) ||
         of.is(kind::view) || of.is(kind::range);
}

value last(rendering& r, value* a) {
  const auto none = [&] { return r.undefined("No last item, sequence was empty."); };
  if (a[0].is(kind::undefined)) return none();
  if (!reversible(a[0])) raise_type("'" + type_name(a[0]) + "' object is not reversible");
  value out;
  if (a[0].is(kind::text)) {
    const std::string_view text = a[0].text();
    if (text.empty()) return none();
    std::size_t at = text.size();
    static_cast<void>(unicode::previous(text, at));
    return r.text(text.substr(at));
  }
  return advance(r, iterate_items(r, a[0], true), out) ? out : none();
}

value reverse(rendering& r, value* a) {
  if (a[0].is(kind::text)) return slice(r, a[0], {}, {}, value(std::int64_t{-1}));
  if (a[0].is(kind::undefined)) return iterate_items(r, r.tuple({}), true);
  if (reversible(a[0])) return iterate_items(r, a[0], true);
  if (!iterable(a[0])) raise("FilterArgumentError", "argument must be iterable");
  values items = to_values(r, a[0]);
  std::ranges::reverse(items);
  return r.list(std::move(items));
}

value fallback(rendering& r, value* a) {
  const bool use = a[0].is(kind::undefined) || (truth(r, a[2]) && !truth(r, a[0]));
  return use ? given_or(a[1], r.text("")) : a[0];
}

value join(rendering& r, value* a) {
  const std::string separator = a[1].missing() ? std::string() : str(r, a[1]);
  const attribute_path path(r, a[2]);
  std::string out;
  const value iterator = iterate(r, a[0]);
  value item;
  for (bool begun = false; advance(r, iterator, item); begun = true) {
    if (begun) out += separator;
    append_str(r, out, path(r, item));
    r.allow(out.size());
  }
  return r.text(std::move(out));
}

value items(rendering& r, value* a) {
  const value of = a[0];
  value iterator;
  return make_generator(r, "do_items", [of, iterator](rendering& in, value& next) mutable {
    if (iterator.missing()) {
      if (of.is(kind::undefined)) return false;
      if (!of.is(kind::dict)) raise_type("Can only get item pairs from a mapping.");
      iterator = iterate(in, in.make<view_object>(of, view_object::part::items));
    }
    return advance(in, iterator, next);
  });
}

value dict_sort(rendering& r, value* a) {
  const bool sensitive = truth(r, a[1]);
  const std::string by = a[2].missing() ? "key" : str(r, a[2]);
  if (by != "key" && by != "value")
    raise("FilterArgumentError", "You can only sort by either \"key\" or \"value\"");
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  if (!a[0].is(kind::dict))
    raise("AttributeError", "'" + type_name(a[0]) + "' object has no attribute 'items'");
  std::vector<std::pair<value, value>> keyed;
  for (const auto& [key, content] : a[0].as<dict_object>().items) {
    const value& of = by == "key" ? key : content;
    keyed.emplace_back(sensitive ? of : ignore_case(r, of), r.pair(key, content));
  }
  sort_by_key(r, keyed, truth(r, a[3]));
  values out;
  for (auto& item : keyed)
    out.push_back(std::move(item.second));
  return r.list(std::move(out));
}

value sort(rendering& r, value* a) {
  const bool sensitive = truth(r, a[2]);
  std::vector<attribute_path> paths;
  if (a[3].is(kind::text)) {
    std::string_view rest = a[3].text();
    for (;;) {
      const std::size_t comma = rest.find(',');
      paths.emplace_back(r, r.text(rest.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  } else {
    paths.emplace_back(r, a[3]);
  }
  std::vector<std::pair<value, value>> keyed;
  for (value& item : to_values(r, a[0])) {
    values key;
    for (const attribute_path& path : paths) {
      value part = path(r, item);
      key.push_back(sensitive ? std::move(part) : ignore_case(r, part));
    }
    keyed.emplace_back(r.list(std::move(key)), std::move(item));
  }
  sort_by_key(r, keyed, truth(r, a[1]));
  values out;
  for (auto& item : keyed)
    out.push_back(std::move(item.second));
  return r.list(std::move(out));
}

value extreme(rendering& r, value* a, comparison better) {
  const bool sensitive = truth(r, a[1]);
  const value iterator = iterate(r, a[0]);
  const attribute_path path(r, a[2]);
  value best;
  value best_key;
  value item;
  while (advance(r, iterator, item)) {
    value key = path(r, item);
    if (!sensitive) key = ignore_case(r, key);
    if (!best.missing() && !compare(r, better, key, best_key)) continue;
    best = item;
    best_key = std::move(key);
  }
  return best.missing() ? r.undefined("No aggregated item, sequence was empty.") : best;
}

value minimum(rendering& r, value* a) { return extreme(r, a, comparison::lt); }
value maximum(rendering& r, value* a) { return extreme(r, a, comparison::gt); }

value sum(rendering& r, value* a) {
  value total = given_or(a[2], value(std::int64_t{0}));
  const value iterator = iterate(r, a[0]);
  const attribute_path path(r, a[1]);
  if (total.is(kind::text)) raise_type("sum() can't sum strings [use ''.join(seq) instead]");
  value item;
  while (advance(r, iterator, item))
    total = calculate(r, arithmetic::add, total, path(r, item));
  return total;
}

value group_by(rendering& r, value* a) {
  const value otherwise = a[2];
  const bool sensitive = truth(r, a[3]);
  const attribute_path path(r, a[1]);
  std::vector<std::pair<value, value>> keyed;
  for (value& item : to_values(r, a[0])) {
    value key = path(r, item, otherwise);
    keyed.emplace_back(sensitive ? std::move(key) : ignore_case(r, key), std::move(item));
  }
  sort_by_key(r, keyed, false);
  values out;
  for (std::size_t at = 0; at < keyed.size();) {
    values group;
    const value key = keyed[at].first;
    for (; at < keyed.size() && compare(r, comparison::eq, keyed[at].first, key); ++at)
      group.push_back(keyed[at].second);
    const value shown = sensitive ? key : path(r, group[0], otherwise);
    value pair = r.pair(shown, r.list(std::move(group)));
    pair.as<sequence_object>().group = true;
    out.push_back(std::move(pair));
  }
  return r.list(std::move(out));
}

constexpr entry sequence_entries[] = {
    {"length", {"len", {"obj"}, 1, length, manner::positional}},
    {"count", {"len", {"obj"}, 1, length, manner::positional}},
    {"list", {"sync_do_list", {"value"}, 1, list}},
    {"first", {"sync_do_first", {"seq"}, 1, first, manner::python, 1}},
    {"last", {"do_last", {"seq"}, 1, last, manner::python, 1}},
    {"reverse", {"do_reverse", {"value"}, 1, reverse}},
    {"default", {"do_default", {"value", "default_value", "boolean"}, 1, fallback}},
    {"d", {"do_default", {"value", "default_value", "boolean"}, 1, fallback}},
    {"join", {"sync_do_join", {"value", "d", "attribute"}, 1, join, manner::python, 1}},
    {"items", {"do_items", {"value"}, 1, items}},
    {"dictsort", {"do_dictsort", {"value", "case_sensitive", "by", "reverse"}, 1, dict_sort}},
    {"sort",
     {"do_sort", {"value", "reverse", "case_sensitive", "attribute"}, 1, sort, manner::python, 1}},
    {"min", {"do_min", {"value", "case_sensitive", "attribute"}, 1, minimum, manner::python, 1}},
    {"max", {"do_max", {"value", "case_sensitive", "attribute"}, 1, maximum, manner::python, 1}},
    {"sum", {"sync_do_sum", {"iterable", "attribute", "start"}, 1, sum, manner::python, 1}},
    {"groupby",
     {"sync_do_groupby",
      {"value", "attribute", "default", "case_sensitive"},
      2,
      group_by,
      manner::python,
      1}},
};

}  // namespace

std::span<const entry> sequence_filters() { return sequence_entries; }

}  // namespace jinja
