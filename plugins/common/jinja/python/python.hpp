// Python's operators and built-in functions on values.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "objects.hpp"

namespace jinja {

class rendering;

// Names for messages: "str", "NoneType"; "list object", "jinja2.utils.Namespace object".
[[nodiscard]] std::string type_name(const value& of);
[[nodiscard]] std::string object_type_name(const value& of);

// repr and str. Bounded in length and depth.
void append_repr(rendering& r, std::string& out, const value& of);
void append_str(rendering& r, std::string& out, const value& of);
[[nodiscard]] std::string repr(rendering& r, const value& of);
[[nodiscard]] std::string str(rendering& r, const value& of);
/// The repr of a string, for messages as well.
[[nodiscard]] std::string quoted(std::string_view text);
[[nodiscard]] std::string float_repr(double number);

[[nodiscard]] bool truth(rendering& r, const value& of);
/// a == b. Fails only for endless nesting.
[[nodiscard]] bool equals(const value& a, const value& b);
[[nodiscard]] std::size_t hash_of(const value& of);
/// TypeError if a value cannot be a key.
void require_hashable(const value& of);

enum class comparison : std::uint8_t { eq, ne, lt, lteq, gt, gteq, in, notin };
[[nodiscard]] bool compare(rendering& r, comparison how, const value& a, const value& b);
/// a < b, as sorting needs it.
[[nodiscard]] bool less(rendering& r, const value& a, const value& b);
[[nodiscard]] bool contains(rendering& r, const value& whole, const value& part);

enum class arithmetic : std::uint8_t { add, sub, mul, div, floordiv, mod, pow };
[[nodiscard]] value calculate(rendering& r, arithmetic how, const value& a, const value& b);
[[nodiscard]] value negate(const value& of);
/// Unary plus.
[[nodiscard]] value posit(const value& of);
/// `format % argument`.
[[nodiscard]] value percent(rendering& r, const value& format, const value& argument);
/// round(number, digits) for a float.
[[nodiscard]] double round_to(double number, std::int64_t digits);

/// len(), if the value has one.
[[nodiscard]] std::optional<std::int64_t> length_of(rendering& r, const value& of);
/// An iterator over the value; TypeError if it is not iterable.
[[nodiscard]] value iterate(rendering& r, const value& of);
[[nodiscard]] bool iterable(const value& of);
[[nodiscard]] bool advance(rendering& r, const value& iterator, value& out);
[[nodiscard]] values to_values(rendering& r, const value& of);

/// `value[a:b:c]`; parts that are not given are missing.
[[nodiscard]] value slice(rendering& r, const value& of, const value& from, const value& to,
                          const value& by);

// int() and float() of a string; nullopt if Python raises ValueError.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t base);
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

}  // namespace jinja
