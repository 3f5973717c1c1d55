// Functions that templates call. Their arguments are matched to parameters by Python's rules, and
// errors have Python's messages.
#pragma once

#include <array>
#include <string_view>

#include "rendering.hpp"

namespace jinja {

/// Whether the original function is written in Python or in C. The texts of its errors depend on
/// this.
enum class manner : std::uint8_t {
  python,      // in Python: positional and named arguments
  positional,  // in C: positional arguments only
  keywords,    // in C: positional and named arguments
};

/// A plain function receives one value per parameter, and a missing value for an argument that was
/// not given. An open function receives all arguments.
using plain_function = value (*)(rendering& r, value* given);
using open_function = value (*)(rendering& r, const value& self, arguments& given);

struct signature {
  const char* name;
  std::array<std::string_view, 6> parameters{};
  std::size_t required = 0;
  plain_function run = nullptr;
  manner how = manner::python;
  /// The number of parameters before `parameters` that Jinja2 passes implicitly. They count in
  /// messages.
  std::size_t hidden = 0;
  /// The class of a method in messages: "str" for str.split.
  const char* owner = nullptr;
  /// The full name in messages, for a function that is a class in Python.
  const char* class_name = nullptr;
  open_function open = nullptr;

  [[nodiscard]] std::size_t size() const noexcept;
};

/// An entry in the table of functions of one kind.
struct entry {
  std::string_view name;
  signature is;
};

/// Calls a function. For methods, `self` is passed before the arguments (as `given[0]`).
[[nodiscard]] value invoke(rendering& r, const signature& is, const value& self, arguments& given);

/// Calls any value, like `value(...)` in a template.
[[nodiscard]] value call(rendering& r, const value& called, arguments& given);

// Conversions of arguments.
[[nodiscard]] inline value given_or(const value& argument, const value& fallback) {
  return argument.missing() ? fallback : argument;
}
/// Returns an integer argument as C functions read it. Otherwise the error is TypeError "'str'
/// object cannot be interpreted as an integer".
[[nodiscard]] std::int64_t index_of(const value& argument);

/// Returns the method `name` of a value, or null.
[[nodiscard]] const signature* find_method(const value& of, std::string_view name);

/// value.name and value[key] of templates. If the first lookup fails, each tries the other kind of
/// lookup.
[[nodiscard]] value get_attribute(rendering& r, const value& of, const value& name);
[[nodiscard]] value get_item(rendering& r, const value& of, const value& key);

}  // namespace jinja
