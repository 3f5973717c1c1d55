#include <cmath>

#include "common/jinja/python/format.hpp"
#include "common/jinja/python/python.hpp"
#include "filters.hpp"

namespace jinja {

namespace {

[[noreturn]] void number_too_big() {
  raise("OverflowError", "integers of more than 64 bits are not supported in chat templates");
}

value absolute(rendering&, value* a) {
  if (a[0].is_whole()) {
    if (a[0].integer() == INT64_MIN) number_too_big();
    return value(a[0].integer() < 0 ? -a[0].integer() : a[0].integer());
  }
  if (a[0].is(kind::real)) return value(std::fabs(a[0].number()));
  raise_type("bad operand type for abs(): '" + type_name(a[0]) + "'");
}

std::int64_t truncated(double of) {
  if (std::isinf(of)) raise("OverflowError", "cannot convert float infinity to integer");
  if (std::fabs(of) >= 9223372036854775808.0) number_too_big();
  return static_cast<std::int64_t>(of);
}

value integer(rendering&, value* a) {
  value fallback = given_or(a[1], value(std::int64_t{0}));
  if (a[0].is_whole()) return value(a[0].integer());
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  if (a[0].is(kind::real))
    return std::isnan(a[0].number()) ? fallback : value(truncated(a[0].number()));
  if (!a[0].is(kind::text)) return fallback;
  const std::int64_t base = a[2].missing() ? 10 : index_of(a[2]);
  if (base == 0 || (base >= 2 && base <= 36))
    if (const auto number = parse_integer(a[0].text(), base)) return value(*number);
  const auto number = parse_real(a[0].text());
  if (!number || !std::isfinite(*number)) return fallback;
  return value(truncated(*number));
}

value real(rendering&, value* a) {
  value fallback = given_or(a[1], value(0.0));
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  if (a[0].is_number()) return value(a[0].number());
  if (!a[0].is(kind::text)) return fallback;
  const auto number = parse_real(a[0].text());
  return number ? value(*number) : fallback;
}

/// round() of an int to tens, hundreds and so on; half-way values go to the even neighbour.
std::int64_t round_whole(std::int64_t of, std::int64_t digits) {
  if (digits >= 0) return of;
  if (digits < -18) return 0;
  std::int64_t scale = 1;
  for (; digits < 0; ++digits)
    scale *= 10;
  const std::int64_t rest = (of % scale + scale) % scale;
  const std::int64_t below = of - rest;
  const bool up = rest * 2 > scale || (rest * 2 == scale && below / scale % 2 != 0);
  std::int64_t out = below;
  if (up && __builtin_add_overflow(below, scale, &out)) number_too_big();
  return out;
}

value round(rendering& r, value* a) {
  const value precision = given_or(a[1], value(std::int64_t{0}));
  const std::string method = a[2].missing() ? "common" : str(r, a[2]);
  if (method != "common" && method != "ceil" && method != "floor")
    raise("FilterArgumentError", "method must be common, ceil or floor");
  if (method == "common") {
    if (!a[0].is_number())
      raise_type("type " + type_name(a[0]) + " doesn't define __round__ method");
    const bool whole = precision.is_none();
    const std::int64_t digits = whole ? 0 : index_of(precision);
    if (a[0].is_whole()) return value(round_whole(a[0].integer(), digits));
    const double out = round_to(a[0].number(), digits);
    if (!whole) return value(out);
    if (std::isnan(out)) raise_value("cannot convert float NaN to integer");
    return value(truncated(out));
  }
  const value ten(std::int64_t{10});
  const value scale = calculate(r, arithmetic::pow, ten, precision);
  const value scaled = calculate(r, arithmetic::mul, a[0], scale);
  if (!scaled.is_number()) raise_type("must be real number, not " + type_name(scaled));
  if (scaled.is_whole()) return calculate(r, arithmetic::div, scaled, scale);
  if (std::isnan(scaled.number())) raise_value("cannot convert float NaN to integer");
  const double whole = method == "ceil" ? std::ceil(scaled.number()) : std::floor(scaled.number());
  return calculate(r, arithmetic::div, value(truncated(whole)), scale);
}

value file_size(rendering& r, value* a) {
  if (a[0].is(kind::undefined)) raise_undefined(a[0]);
  double bytes = 0;
  if (a[0].is_number()) {
    bytes = a[0].number();
  } else if (a[0].is(kind::text)) {
    const auto number = parse_real(a[0].text());
    if (!number) raise_value("could not convert string to float: " + repr(r, a[0]));
    bytes = *number;
  } else {
    raise_type("float() argument must be a string or a real number, not '" + type_name(a[0]) + "'");
  }
  const bool binary = truth(r, a[1]);
  const double base = binary ? 1024 : 1000;
  if (bytes == 1) return r.text("1 Byte");
  if (std::isnan(bytes)) raise_value("cannot convert float NaN to integer");
  if (bytes < base) return r.text(std::to_string(truncated(bytes)) + " Bytes");
  const std::string_view letters = binary ? "KMGTPEZY" : "kMGTPEZY";
  double unit = base;
  std::size_t i = 0;
  for (;; ++i) {
    unit *= base;
    if (bytes < unit || i + 1 == letters.size()) break;
  }
  format_spec how;
  how.type = 'f';
  how.precision = 1;
  return r.text(format_real(r, base * bytes / unit, how) + " " + letters[i] +
                (binary ? "iB" : "B"));
}

constexpr entry number_entries[] = {
    {"abs", {"abs", {"x"}, 1, absolute, manner::positional}},
    {"int", {"do_int", {"value", "default", "base"}, 1, integer}},
    {"float", {"do_float", {"value", "default"}, 1, real}},
    {"round", {"do_round", {"value", "precision", "method"}, 1, round}},
    {"filesizeformat", {"do_filesizeformat", {"value", "binary"}, 1, file_size}},
};

}  // namespace

std::span<const entry> number_filters() { return number_entries; }

}  // namespace jinja
