// Python's operators and built-in functions on values.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "objects.hpp"

namespace jinja {

class rendering;

// Names of types for messages: "str", "NoneType"; "list object", "jinja2.utils.Namespace object".
[[nodiscard]] std::string type_name(const value& of);
[[nodiscard]] std::string object_type_name(const value& of);

// Append repr and str of a value. Their length and depth are limited.
void append_repr(rendering& r, std::string& out, const value& of);
void append_str(rendering& r, std::string& out, const value& of);
[[nodiscard]] std::string repr(rendering& r, const value& of);
[[nodiscard]] std::string str(rendering& r, const value& of);
/// Returns the repr of a string. Messages also use it.
[[nodiscard]] std::string quoted(std::string_view text);
[[nodiscard]] std::string float_repr(double number);

[[nodiscard]] bool truth(rendering& r, const value& of);
/// Returns a == b. Fails only if the values are nested too deeply.
[[nodiscard]] bool equals(const value& a, const value& b);
[[nodiscard]] std::size_t hash_of(const value& of);
/// Raises TypeError if a value cannot be a key.
void require_hashable(const value& of);

enum class comparison : std::uint8_t { eq, ne, lt, lteq, gt, gteq, in, notin };
[[nodiscard]] bool compare(rendering& r, comparison how, const value& a, const value& b);
/// Returns a < b, for sorting.
[[nodiscard]] bool less(rendering& r, const value& a, const value& b);
[[nodiscard]] bool contains(rendering& r, const value& whole, const value& part);

enum class arithmetic : std::uint8_t { add, sub, mul, div, floordiv, mod, pow };
[[nodiscard]] value calculate(rendering& r, arithmetic how, const value& a, const value& b);
[[nodiscard]] value negate(const value& of);
/// Returns +value.
[[nodiscard]] value posit(const value& of);
/// Returns `format % argument`.
[[nodiscard]] value percent(rendering& r, const value& format, const value& argument);
/// Returns round(number, digits) for a float.
[[nodiscard]] double round_to(double number, std::int64_t digits);

/// Returns len(value); nullopt if the value does not have a length.
[[nodiscard]] std::optional<std::int64_t> length_of(rendering& r, const value& of);
/// Returns an iterator over the value. Raises TypeError if the value is not iterable.
[[nodiscard]] value iterate(rendering& r, const value& of);
[[nodiscard]] bool iterable(const value& of);
[[nodiscard]] bool advance(rendering& r, const value& iterator, value& out);
[[nodiscard]] values to_values(rendering& r, const value& of);

/// Returns `value[a:b:c]`. A part that is not given must be a missing value.
[[nodiscard]] value slice(rendering& r, const value& of, const value& from, const value& to,
                          const value& by);

// int() and float() of a string; nullopt if Python would raise ValueError.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t base);
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

}  // namespace jinja
