// value.name and value[key], and the names of each kind of value.
#include <algorithm>

#include "call.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

/// Returns whether the sandbox forbids the method `name` because it would change the value.
bool changes(const value& of, std::string_view name) {
  static constexpr std::string_view of_list[] = {"append", "clear", "pop",    "reverse",
                                                 "insert", "sort",  "extend", "remove"};
  static constexpr std::string_view of_dict[] = {"clear", "pop", "popitem", "setdefault", "update"};
  if (of.is(kind::list)) return std::ranges::find(of_list, name) != std::end(of_list);
  return of.is(kind::dict) && std::ranges::find(of_dict, name) != std::end(of_dict);
}

/// Returns whether `name` begins and ends with two underscores and exists in every Python object.
bool internal(std::string_view name) {
  static constexpr std::string_view known[] = {
      "__class__",  "__delattr__",   "__dir__",         "__doc__",
      "__eq__",     "__format__",    "__ge__",          "__getattribute__",
      "__gt__",     "__hash__",      "__init__",        "__init_subclass__",
      "__le__",     "__lt__",        "__ne__",          "__new__",
      "__reduce__", "__reduce_ex__", "__repr__",        "__setattr__",
      "__sizeof__", "__str__",       "__subclasshook__"};
  return std::ranges::find(known, name) != std::end(known);
}

value unsafe(rendering& r, const value& of, std::string_view name) {
  return r.undefined(
      "access to attribute " + quoted(name) + " of '" + type_name(of) + "' object is unsafe.",
      "SecurityError");
}

value loop_attribute(rendering& r, const value& of, std::string_view name) {
  auto& loop = of.as<loop_object>();
  if (name == "index0") return value(loop.index0);
  if (name == "index") return value(loop.index0 + 1);
  if (name == "first") return value(loop.index0 == 0);
  if (name == "last") return value(!loop.peek(r));
  if (name == "length") return value(loop.length(r));
  if (name == "revindex0") return value(loop.length(r) - loop.index0 - 1);
  if (name == "revindex") return value(loop.length(r) - loop.index0);
  if (name == "depth") return value(std::int64_t{1});
  if (name == "depth0") return value(std::int64_t{0});
  if (name == "previtem")
    return loop.index0 == 0 ? r.undefined("there is no previous item") : loop.previous;
  if (name == "nextitem") return loop.peek(r) ? loop.peeked : r.undefined("there is no next item");
  return {};
}

value number_attribute(const value& of, std::string_view name) {
  if (name == "real") return of.is_whole() ? value(of.integer()) : of;
  if (name == "imag") return of.is_whole() ? value(std::int64_t{0}) : value(0.0);
  if (!of.is_whole()) return {};
  if (name == "numerator") return value(of.integer());
  if (name == "denominator") return value(std::int64_t{1});
  return {};
}

/// Returns getattr(of, name), or a missing value if Python raises AttributeError.
value attribute(rendering& r, const value& of, const value& name) {
  const std::string_view called = name.text();
  switch (of.what()) {
    case kind::undefined:
      if (internal(called)) break;
      raise_undefined(of);
    case kind::name_space: {
      value* const found = of.as<name_space_object>().find(called);
      if (called == "__class__" || (found != nullptr && called.starts_with("_")))
        return unsafe(r, of, called);
      return found != nullptr ? *found : value();
    }
    case kind::loop: {
      value found = loop_attribute(r, of, called);
      if (!found.missing()) return found;
      break;
    }
    case kind::cycler:
      if (called == "current") return of.as<cycler_object>().items[of.as<cycler_object>().position];
      break;
    case kind::tuple:
      if (of.as<sequence_object>().group && called == "grouper")
        return of.as<sequence_object>().items[0];
      if (of.as<sequence_object>().group && called == "list")
        return of.as<sequence_object>().items[1];
      break;
    case kind::macro:
      if (called == "name") return of.as<macro_object>().called;
      break;
    case kind::boolean:
    case kind::integer:
    case kind::real: {
      value found = number_attribute(of, called);
      if (!found.missing()) return found;
      break;
    }
    default: break;
  }
  if (changes(of, called) || internal(called)) return unsafe(r, of, called);
  const signature* const method = find_method(of, called);
  return method == nullptr ? value() : r.make<native_object>(*method, of);
}

/// Returns of[key], or a missing value if Python raises TypeError or LookupError.
value element(rendering& r, const value& of, const value& key) {
  switch (of.what()) {
    case kind::undefined: raise_undefined(of);
    case kind::dict: {
      if (key.is(kind::list) || key.is(kind::dict)) return {};
      r.walk(key);
      const value* const found = of.as<dict_object>().find(key);
      return found == nullptr ? value() : *found;
    }
    case kind::text:
    case kind::list:
    case kind::tuple:
    case kind::range: break;
    default: return {};
  }
  if (!key.is_whole()) return {};
  std::int64_t at = key.integer();
  const std::int64_t size = *length_of(r, of);
  if (at < 0) at += size;
  if (at < 0 || at >= size) return {};
  if (of.is(kind::range)) return value(of.as<range_object>().at(at));
  if (!of.is(kind::text)) return of.as<sequence_object>().items[static_cast<std::size_t>(at)];
  const std::string_view text = of.text();
  r.work(text.size());
  const std::size_t begin = unicode::offset(text, static_cast<std::size_t>(at));
  return r.text(text.substr(begin, unicode::width(text[begin])), of.as<text_object>().markup);
}

value absent(rendering& r, const value& of, const value& name) {
  if (name.is(kind::text))
    return r.undefined(quoted(object_type_name(of)) + " has no attribute " + quoted(name.text()));
  return r.undefined(object_type_name(of) + " has no element " + repr(r, name));
}

}  // namespace

value get_attribute(rendering& r, const value& of, const value& name) {
  value found = attribute(r, of, name);
  if (found.missing()) found = element(r, of, name);
  return found.missing() ? absent(r, of, name) : found;
}

value get_item(rendering& r, const value& of, const value& key) {
  value found = element(r, of, key);
  if (found.missing() && key.is(kind::text)) found = attribute(r, of, key);
  return found.missing() ? absent(r, of, key) : found;
}

}  // namespace jinja
