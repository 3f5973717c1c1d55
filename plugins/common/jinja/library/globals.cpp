// The global functions of templates.
#include <algorithm>
#include <array>
#include <chrono>

#include "builtins.hpp"
#include "common/jinja/python/python.hpp"
#include "common/jinja/python/unicode.hpp"
#include "filters.hpp"

namespace jinja {

namespace {

// MAX_RANGE of Jinja2's sandbox.
constexpr std::int64_t longest_range = 100'000;

value range(rendering& r, const value&, arguments& given) {
  if (!given.named.empty())
    raise_type("safe_range() got an unexpected keyword argument " +
               quoted(given.named[0].name.text()));
  const values& a = given.given;
  if (a.empty()) raise_type("range expected at least 1 argument, got 0");
  if (a.size() > 3)
    raise_type("range expected at most 3 arguments, got " + std::to_string(a.size()));
  const std::int64_t start = a.size() > 1 ? index_of(a[0]) : 0;
  const std::int64_t stop = index_of(a[a.size() > 1 ? 1 : 0]);
  const std::int64_t step = a.size() > 2 ? index_of(a[2]) : 1;
  if (step == 0) raise_value("range() arg 3 must not be zero");
  // The difference is unsigned, because the difference of two signed integers may not fit into a
  // signed integer.
  const auto far = static_cast<std::uint64_t>(step > 0 ? stop : start) -
                   static_cast<std::uint64_t>(step > 0 ? start : stop);
  const std::uint64_t by =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const bool any = step > 0 ? start < stop : start > stop;
  const std::uint64_t count = any ? (far - 1) / by + 1 : 0;
  if (count > static_cast<std::uint64_t>(longest_range))
    raise("OverflowError",
          "Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).");
  return r.make<range_object>(start, stop, step, static_cast<std::int64_t>(count));
}

void put(rendering& r, dict_object& into, const value& key, const value& content) {
  r.walk(key);
  require_hashable(key);
  into.put(key, content);
  r.allow(into.items.size() * sizeof(value));
}

/// dict(...): takes a mapping or pairs, followed by named arguments.
value make_dict(rendering& r, const value&, arguments& given) {
  auto* const made = r.dict(given.named.size());
  const value out(made);
  if (given.given.size() > 1)
    raise_type("dict expected at most 1 argument, got " + std::to_string(given.given.size()));
  if (!given.given.empty()) {
    const value& from = given.given[0];
    if (from.is(kind::undefined)) raise_undefined(from);
    if (from.is(kind::dict)) {
      for (const auto& [key, content] : from.as<dict_object>().items)
        put(r, *made, key, content);
    } else {
      const value iterator = iterate(r, from);
      value item;
      for (std::size_t i = 0; advance(r, iterator, item); ++i) {
        if (!iterable(item))
          raise_type("cannot convert dictionary update sequence element #" + std::to_string(i) +
                     " to a sequence");
        const values pair = to_values(r, item);
        if (pair.size() != 2)
          raise_value("dictionary update sequence element #" + std::to_string(i) + " has length " +
                      std::to_string(pair.size()) + "; 2 is required");
        put(r, *made, pair[0], pair[1]);
      }
    }
  }
  for (const named_argument& named : given.named)
    put(r, *made, named.name, named.content);
  return out;
}

value make_name_space(rendering& r, const value& self, arguments& given) {
  const value members = make_dict(r, self, given);
  const value out = r.make<name_space_object>();
  out.as<name_space_object>().members = members.as<dict_object>().items;
  return out;
}

value make_cycler(rendering& r, const value&, arguments& given) {
  if (!given.named.empty())
    raise_type("Cycler.__init__() got an unexpected keyword argument " +
               quoted(given.named[0].name.text()));
  if (given.given.empty()) raise("RuntimeError", "at least one item has to be provided");
  return r.make<cycler_object>(std::move(given.given));
}

value make_joiner(rendering& r, value* a) {
  return r.make<joiner_object>(given_or(a[0], r.text(", ")));
}

value raise_exception(rendering& r, value* a) { raise("TemplateError", str(r, a[0])); }

value strftime_now(rendering& r, value* a) {
  if (!a[0].is(kind::text)) raise_type("strftime() argument 1 must be str, not " + type_name(a[0]));
  const wall_time now = r.limits.clock();
  std::string format;
  // Python (3.11) ends the format at a zero character.
  const std::string_view text = a[0].text().substr(0, a[0].text().find('\0'));
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
    // Python computes %f, %z and %Z itself. %z and %Z give an empty text, because the time has no
    // time zone. All other directives are passed to the C library.
    if (next == 'f') {
      const std::string digits = std::to_string(now.microsecond);
      format += std::string(6 - std::min<std::size_t>(digits.size(), 6), '0') + digits;
    } else if (next != 'z' && next != 'Z') {
      format.push_back(text[i]);
      if (next != '\0') format.push_back(next);
    }
    if (next != '\0') ++i;
  }
  // strftime() returns 0 for an empty result and for a result that does not fit. With this dot no
  // result is empty; it is removed below.
  format.push_back('.');
  r.work(format.size());
  std::string out(format.size() * 2 + 64, '\0');
  for (;;) {
    r.allow(out.size());
    const std::size_t size = std::strftime(out.data(), out.size(), format.c_str(), &now.local);
    if (size > 0) {
      out.resize(size - 1);
      break;
    }
    out.resize(out.size() * 4);
  }
  if (!unicode::valid(out)) raise("UnicodeDecodeError", "strftime() gives no UTF-8");
  return r.text(std::move(out));
}

value lipsum(rendering&, const value&, arguments&) { raise_unsupported("the function 'lipsum'"); }

constexpr entry function_entries[] = {
    {"range", {.name = "safe_range", .open = range}},
    {"dict", {.name = "dict", .class_name = "dict", .open = make_dict}},
    {"namespace",
     {.name = "namespace", .class_name = "jinja2.utils.Namespace", .open = make_name_space}},
    {"cycler", {.name = "cycler", .class_name = "jinja2.utils.Cycler", .open = make_cycler}},
    {"joiner",
     {.name = "Joiner.__init__",
      .parameters = {"sep"},
      .run = make_joiner,
      .hidden = 1,
      .class_name = "jinja2.utils.Joiner"}},
    {"lipsum", {.name = "generate_lorem_ipsum", .open = lipsum}},
    {"raise_exception", {"raise_exception", {"message"}, 1, raise_exception}},
    {"strftime_now", {"strftime_now", {"format"}, 1, strftime_now}},
};

}  // namespace

const signature* find_global(std::string_view name) {
  const auto* const at = std::ranges::find(function_entries, name, &entry::name);
  return at == std::end(function_entries) ? nullptr : &at->is;
}

}  // namespace jinja
