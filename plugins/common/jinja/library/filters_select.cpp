// Filters that yield their items lazily, one by one.
#include <algorithm>

#include "builtins.hpp"
#include "common/jinja/python/iterate.hpp"
#include "common/jinja/python/python.hpp"
#include "filters.hpp"

namespace jinja {

namespace {

value take_named(arguments& given, std::string_view name) {
  const auto at = std::ranges::find_if(
      given.named, [&](const named_argument& named) { return named.name.text() == name; });
  if (at == given.named.end()) return {};
  value out = at->content;
  given.named.erase(at);
  return out;
}

/// Returns the filter or test whose name is the string `name`.
const signature& by_name(const value& name, bool filter) {
  const signature* found = nullptr;
  if (name.is(kind::text)) found = filter ? find_filter(name.text()) : find_test(name.text());
  if (found != nullptr) return *found;
  std::string message = std::string("No ") + (filter ? "filter" : "test") + " named ";
  if (name.is(kind::undefined))
    message += "Undefined. (" + name.as<undefined_object>().message +
               "; did you forget to quote the callable name?)";
  else
    message += (name.is(kind::text) ? quoted(name.text()) : type_name(name)) + ".";
  raise("TemplateRuntimeError", message);
}

value apply(rendering& r, const value& name, bool filter, const value& to, const arguments& rest) {
  arguments given;
  given.given.push_back(to);
  given.given.insert(given.given.end(), rest.given.begin(), rest.given.end());
  given.named = rest.named;
  return invoke(r, by_name(name, filter), value(), given);
}

void require_value(const arguments& given, const char* function) {
  if (given.given.empty())
    raise_type(std::string(function) + "() missing 1 required positional argument: 'value'");
}

value map(rendering& r, const value&, arguments& given) {
  require_value(given, "sync_do_map");
  arguments rest = std::move(given);
  const value of = rest.given[0];
  rest.given.erase(rest.given.begin());
  value iterator;
  std::optional<attribute_path> path;
  value name;
  value otherwise;
  return make_generator(
      r, "sync_do_map",
      [of, rest, iterator, path, name, otherwise](rendering& in, value& next) mutable {
        if (iterator.missing()) {
          if (!truth(in, of)) return false;
          if (rest.given.empty()) {
            const value attribute = take_named(rest, "attribute");
            if (attribute.missing()) raise("FilterArgumentError", "map requires a filter argument");
            otherwise = take_named(rest, "default");
            if (!rest.named.empty())
              raise("FilterArgumentError",
                    "Unexpected keyword argument " + quoted(rest.named[0].name.text()));
            path.emplace(in, attribute);
          } else {
            name = rest.given[0];
            rest.given.erase(rest.given.begin());
          }
          iterator = iterate(in, of);
        }
        value item;
        if (!advance(in, iterator, item)) return false;
        next = path ? (*path)(in, item, otherwise) : apply(in, name, true, item, rest);
        return true;
      });
}

value select(rendering& r, arguments& given, bool wanted, bool by_attribute, const char* function) {
  require_value(given, function);
  arguments rest = std::move(given);
  const value of = rest.given[0];
  rest.given.erase(rest.given.begin());
  value iterator;
  std::optional<attribute_path> path;
  value name;
  return make_generator(
      r, "select_or_reject",
      [of, rest, iterator, path, name, wanted, by_attribute](rendering& in, value& next) mutable {
        const auto take = [&] {
          value out = rest.given[0];
          rest.given.erase(rest.given.begin());
          return out;
        };
        if (iterator.missing()) {
          if (!truth(in, of)) return false;
          if (by_attribute) {
            if (rest.given.empty())
              raise("FilterArgumentError", "Missing parameter for attribute name");
            path.emplace(in, take());
          }
          if (!rest.given.empty()) name = take();
          iterator = iterate(in, of);
        }
        value item;
        while (advance(in, iterator, item)) {
          const value tested = path ? (*path)(in, item) : item;
          const value result = name.missing() ? tested : apply(in, name, false, tested, rest);
          if (truth(in, result) != wanted) continue;
          next = item;
          return true;
        }
        return false;
      });
}

value select_items(rendering& r, const value&, arguments& given) {
  return select(r, given, true, false, "sync_do_select");
}
value reject_items(rendering& r, const value&, arguments& given) {
  return select(r, given, false, false, "sync_do_reject");
}
value select_attribute(rendering& r, const value&, arguments& given) {
  return select(r, given, true, true, "sync_do_selectattr");
}
value reject_attribute(rendering& r, const value&, arguments& given) {
  return select(r, given, false, true, "sync_do_rejectattr");
}

value unique(rendering& r, value* a) {
  const value of = a[0];
  const bool sensitive = truth(r, a[1]);
  const attribute_path path(r, a[2]);
  const value seen(r.dict(0));
  value iterator;
  return make_generator(r, "sync_do_unique",
                        [of, sensitive, path, seen, iterator](rendering& in, value& next) mutable {
                          if (iterator.missing()) iterator = iterate(in, of);
                          auto& known = seen.as<dict_object>();
                          while (advance(in, iterator, next)) {
                            value key = path(in, next);
                            if (!sensitive) key = ignore_case(in, key);
                            in.walk(key);
                            require_hashable(key);
                            if (known.find(key) != nullptr) continue;
                            known.put(key, value::none());
                            in.allow(known.items.size() * sizeof(value));
                            return true;
                          }
                          return false;
                        });
}

value batch(rendering& r, value* a) {
  const value of = a[0];
  const value count = a[1];
  const value fill = a[2];
  value iterator;
  values row;
  bool ended = false;
  return make_generator(
      r, "do_batch", [of, count, fill, iterator, row, ended](rendering& in, value& next) mutable {
        if (ended) return false;
        if (iterator.missing()) iterator = iterate(in, of);
        value item;
        while (advance(in, iterator, item)) {
          const bool full = equals(value::count(row.size()), count);
          if (full) next = in.list(std::exchange(row, {}));
          row.push_back(item);
          in.allow(row.size() * sizeof(value));
          if (full) return true;
        }
        ended = true;
        if (row.empty()) return false;
        const value size = value::count(row.size());
        if (!fill.missing() && !fill.is_none() && compare(in, comparison::lt, size, count)) {
          const std::int64_t wanted = index_of(count);
          in.allow(static_cast<std::size_t>(wanted) * sizeof(value));
          row.resize(static_cast<std::size_t>(wanted), fill);
        }
        next = in.list(std::exchange(row, {}));
        return true;
      });
}

value columns(rendering& r, value* a) {
  const value of = a[0];
  const value count = a[1];
  const value fill = a[2];
  values all;
  std::int64_t at = -1;
  std::int64_t each = 0;
  std::int64_t longer = 0;
  return make_generator(
      r, "sync_do_slice",
      [of, count, fill, all, at, each, longer](rendering& in, value& next) mutable {
        if (at < 0) {
          all = to_values(in, of);
          const value size = value::count(all.size());
          each = index_of(calculate(in, arithmetic::floordiv, size, count));
          longer = index_of(calculate(in, arithmetic::mod, size, count));
          at = 0;
        }
        if (at >= index_of(count)) return false;
        const std::int64_t begin = at * each + std::min(at, longer);
        const std::int64_t end = begin + each + (at < longer ? 1 : 0);
        values column(all.begin() + begin, all.begin() + end);
        if (!fill.missing() && !fill.is_none() && at >= longer) column.push_back(fill);
        ++at;
        next = in.list(std::move(column));
        return true;
      });
}

value attribute(rendering& r, value* a) {
  if (!a[1].is(kind::text))
    raise_type("attribute name must be string, not '" + type_name(a[1]) + "'");
  if (a[0].is(kind::dict) && find_method(a[0], a[1].text()) == nullptr)
    return r.undefined("'dict object' has no attribute " + quoted(a[1].text()));
  return get_attribute(r, a[0], a[1]);
}

constexpr entry select_entries[] = {
    {"map", {.name = "sync_do_map", .open = map}},
    {"select", {.name = "sync_do_select", .open = select_items}},
    {"reject", {.name = "sync_do_reject", .open = reject_items}},
    {"selectattr", {.name = "sync_do_selectattr", .open = select_attribute}},
    {"rejectattr", {.name = "sync_do_rejectattr", .open = reject_attribute}},
    {"unique",
     {"sync_do_unique", {"value", "case_sensitive", "attribute"}, 1, unique, manner::python, 1}},
    {"batch", {"do_batch", {"value", "linecount", "fill_with"}, 2, batch}},
    {"slice", {"sync_do_slice", {"value", "slices", "fill_with"}, 2, columns}},
    {"attr", {"do_attr", {"obj", "name"}, 2, attribute, manner::python, 1}},
};

}  // namespace

std::span<const entry> selecting_filters() { return select_entries; }

}  // namespace jinja
