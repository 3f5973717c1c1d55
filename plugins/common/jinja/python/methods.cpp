// The methods of all values except strings.
#include "methods.hpp"

#include <algorithm>
#include <cmath>

#include "python.hpp"

namespace jinja {

namespace {

value dict_get(rendering& r, value* a) {
  r.walk(a[1]);
  require_hashable(a[1]);
  const value* const found = a[0].as<dict_object>().find(a[1]);
  return found != nullptr ? *found : given_or(a[2], value::none());
}

template <view_object::part Part>
value dict_view(rendering& r, value* a) {
  return r.make<view_object>(a[0], Part);
}

value itself(rendering&, value* a) { return a[0]; }

value dict_from_keys(rendering& r, value* a) {
  auto* const made = r.dict(0);
  const value out(made);
  for (const value& key : to_values(r, a[1])) {
    r.walk(key);
    require_hashable(key);
    made->put(key, given_or(a[2], value::none()));
  }
  return out;
}

value sequence_count(rendering& r, value* a) {
  r.walk(a[0]);
  const values& items = a[0].as<sequence_object>().items;
  return value(static_cast<std::int64_t>(std::ranges::count_if(
      items, [&](const value& item) { return item.same(a[1]) || equals(item, a[1]); })));
}

value sequence_index(rendering& r, value* a) {
  r.walk(a[0]);
  const values& items = a[0].as<sequence_object>().items;
  const auto size = static_cast<std::int64_t>(items.size());
  const auto bound = [&](const value& of, std::int64_t fallback) {
    if (of.missing()) return fallback;
    const std::int64_t at = index_of(of);
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const std::int64_t end = bound(a[3], size);
  for (std::int64_t i = bound(a[2], 0); i < end; ++i) {
    const value& item = items[static_cast<std::size_t>(i)];
    if (item.same(a[1]) || equals(item, a[1])) return value(i);
  }
  raise_value(a[0].is(kind::list) ? repr(r, a[1]) + " is not in list"
                                  : "tuple.index(x): x not in tuple");
}

value loop_cycle(rendering&, const value& self, arguments& given) {
  if (given.given.empty()) raise_type("no items for cycling given");
  const auto at = static_cast<std::size_t>(self.as<loop_object>().index0) % given.given.size();
  return given.given[at];
}

value loop_changed(rendering& r, const value& self, arguments& given) {
  auto& loop = self.as<loop_object>();
  const value now = r.tuple(std::move(given.given));
  if (!loop.changed.missing() && compare(r, comparison::eq, loop.changed, now)) return value(false);
  loop.changed = now;
  return value(true);
}

value cycler_next(rendering&, value* a) {
  auto& cycler = a[0].as<cycler_object>();
  const value out = cycler.items[cycler.position];
  cycler.position = (cycler.position + 1) % cycler.items.size();
  return out;
}

value cycler_reset(rendering&, value* a) {
  a[0].as<cycler_object>().position = 0;
  return value::none();
}

value is_integer(rendering&, value* a) {
  const double of = a[0].number();
  return value(std::isfinite(of) && std::floor(of) == of);
}

value bit_length(rendering&, value* a) {
  const std::int64_t of = a[0].integer();
  std::uint64_t rest = of < 0 ? 0 - static_cast<std::uint64_t>(of) : static_cast<std::uint64_t>(of);
  std::int64_t bits = 0;
  for (; rest > 0; rest >>= 1U)
    ++bits;
  return value(bits);
}

constexpr char name_as_integer_ratio[] = "as_integer_ratio";
constexpr char name_bit_count[] = "bit_count";
constexpr char name_from_bytes[] = "from_bytes";
constexpr char name_fromhex[] = "fromhex";
constexpr char name_hex[] = "hex";
constexpr char name_to_bytes[] = "to_bytes";
template <const char* method>
value left_out(rendering&, const value& self, arguments&) {
  raise_unsupported(std::string(type_name(self)) + "." + method);
}

constexpr entry of_dict[] = {
    {"get", {"get", {"key", "default"}, 1, dict_get, manner::positional, 0, "dict"}},
    {"items", {"items", {}, 0, dict_view<view_object::part::items>, manner::positional, 0, "dict"}},
    {"keys", {"keys", {}, 0, dict_view<view_object::part::keys>, manner::positional, 0, "dict"}},
    {"values",
     {"values", {}, 0, dict_view<view_object::part::contents>, manner::positional, 0, "dict"}},
    {"copy", {"copy", {}, 0, itself, manner::positional, 0, "dict"}},
    {"fromkeys",
     {"fromkeys", {"iterable", "value"}, 1, dict_from_keys, manner::positional, 0, "dict"}},
};

constexpr entry of_list[] = {
    {"count", {"count", {"value"}, 1, sequence_count, manner::positional, 0, "list"}},
    {"index",
     {"index", {"value", "start", "stop"}, 1, sequence_index, manner::positional, 0, "list"}},
    {"copy", {"copy", {}, 0, itself, manner::positional, 0, "list"}},
};

constexpr entry of_tuple[] = {
    {"count", {"count", {"value"}, 1, sequence_count, manner::positional, 0, "tuple"}},
    {"index",
     {"index", {"value", "start", "stop"}, 1, sequence_index, manner::positional, 0, "tuple"}},
};

constexpr entry of_loop[] = {
    {"cycle", {.name = "cycle", .open = loop_cycle}},
    {"changed", {.name = "changed", .open = loop_changed}},
};

constexpr entry of_cycler[] = {
    {"next", {"Cycler.next", {}, 0, cycler_next, manner::python, 1}},
    {"reset", {"Cycler.reset", {}, 0, cycler_reset, manner::python, 1}},
};

constexpr entry of_real[] = {
    {"is_integer", {"is_integer", {}, 0, is_integer, manner::positional, 0, "float"}},
    {"conjugate", {"conjugate", {}, 0, itself, manner::positional, 0, "float"}},
    {"as_integer_ratio", {.name = name_as_integer_ratio, .open = left_out<name_as_integer_ratio>}},
    {"hex", {.name = name_hex, .open = left_out<name_hex>}},
    {"fromhex", {.name = name_fromhex, .open = left_out<name_fromhex>}},
};

constexpr entry of_integer[] = {
    {"bit_length", {"bit_length", {}, 0, bit_length, manner::positional, 0, "int"}},
    {"conjugate", {"conjugate", {}, 0, itself, manner::positional, 0, "int"}},
    {"as_integer_ratio", {.name = name_as_integer_ratio, .open = left_out<name_as_integer_ratio>}},
    {"bit_count", {.name = name_bit_count, .open = left_out<name_bit_count>}},
    {"to_bytes", {.name = name_to_bytes, .open = left_out<name_to_bytes>}},
    {"from_bytes", {.name = name_from_bytes, .open = left_out<name_from_bytes>}},
};

std::span<const entry> methods_of(const value& of) {
  switch (of.what()) {
    case kind::dict: return of_dict;
    case kind::list: return of_list;
    case kind::tuple: return of_tuple;
    case kind::loop: return of_loop;
    case kind::cycler: return of_cycler;
    case kind::real: return of_real;
    case kind::integer:
    case kind::boolean: return of_integer;
    default: return {};
  }
}

}  // namespace

const signature* find_method(const value& of, std::string_view name) {
  const auto in = [&](std::span<const entry> methods) -> const signature* {
    const auto at = std::ranges::find(methods, name, &entry::name);
    return at == methods.end() ? nullptr : &at->is;
  };
  if (!of.is(kind::text)) return in(methods_of(of));
  for (const auto methods : {split_methods(), search_methods(), layout_methods(), case_methods()})
    if (const signature* const found = in(methods)) return found;
  return nullptr;
}

}  // namespace jinja
