// The two ways in which Python formats: "%s" % x, and "{}".format(x).
#pragma once

#include "call.hpp"

namespace jinja {

/// The part after the colon in "{:>8.2f}", or the flags of "%8.2f".
struct format_spec {
  char32_t fill = ' ';
  char align = 0;  // one of < > ^ =
  char sign = '-';
  bool alternate = false;
  /// A number that rounds to zero has no sign.
  bool plain_zero = false;
  std::int64_t width = 0;
  char grouping = 0;
  std::int64_t precision = -1;
  char type = 0;
};

// Each function pads to the width. The caller checks that the type fits the value.
[[nodiscard]] std::string format_text(rendering& r, std::string_view text, const format_spec& how);
[[nodiscard]] std::string format_integer(rendering& r, std::int64_t number, const format_spec& how);
[[nodiscard]] std::string format_real(rendering& r, double number, const format_spec& how);

/// The built-in function format(value, spec).
[[nodiscard]] std::string format_value(rendering& r, const value& of, std::string_view spec);

/// str.format. Markup escapes its arguments.
[[nodiscard]] value format_braces(rendering& r, const value& format, const arguments& given);

}  // namespace jinja
