// Functions that templates call, and the matching of their arguments to parameters: by Python's
// rules, with Python's messages.
#pragma once

#include <array>
#include <string_view>

#include "rendering.hpp"

namespace jinja {

/// Python's functions are written in Python or in C, which decides about its messages.
enum class manner : std::uint8_t {
  python,      // positional and by name
  positional,  // in C, positional only
  keywords,    // in C, positional and by name
};

/// A plain function gets one value per parameter, `missing` for arguments that are not given; an
/// open function gets all arguments.
using plain_function = value (*)(rendering& r, value* given);
using open_function = value (*)(rendering& r, const value& self, arguments& given);

struct signature {
  const char* name;
  std::array<std::string_view, 6> parameters{};
  std::size_t required = 0;
  plain_function run = nullptr;
  manner how = manner::python;
  /// The number of parameters before those, which Jinja2 passes by itself. They count in messages.
  std::size_t hidden = 0;
  /// "str" for str.split, in messages.
  const char* owner = nullptr;
  /// The full name, for a function that is a class in Python.
  const char* class_name = nullptr;
  open_function open = nullptr;

  [[nodiscard]] std::size_t size() const noexcept;
};

/// A function in a table of its kind.
struct entry {
  std::string_view name;
  signature is;
};

/// Calls a function. For methods, `self` is passed before the arguments (`given[0]` is it).
[[nodiscard]] value invoke(rendering& r, const signature& is, const value& self, arguments& given);

/// Calls any value, as `value(...)` in a template.
[[nodiscard]] value call(rendering& r, const value& called, arguments& given);

// Arguments as functions need them.
[[nodiscard]] inline value given_or(const value& argument, const value& fallback) {
  return argument.missing() ? fallback : argument;
}
/// An integer as C functions take it: TypeError "'str' object cannot be interpreted as an integer".
[[nodiscard]] std::int64_t index_of(const value& argument);

/// The method of that name that a value has, or null.
[[nodiscard]] const signature* find_method(const value& of, std::string_view name);

/// value.name and value[key] of templates, with their fallback from one to the other.
[[nodiscard]] value get_attribute(rendering& r, const value& of, const value& name);
[[nodiscard]] value get_item(rendering& r, const value& of, const value& key);

}  // namespace jinja
