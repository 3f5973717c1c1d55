#include <charconv>
#include <cmath>

#include "call.hpp"
#include "escape.hpp"
#include "python.hpp"
#include "rendering.hpp"

namespace jinja {

namespace {

constexpr const char* arithmetic_symbols[] = {"+", "-", "*", "/", "//", "%", "** or pow()"};

[[noreturn]] void too_big() {
  raise("OverflowError", "integers of more than 64 bits are not supported in chat templates");
}

[[noreturn]] void refuse(arithmetic how, const value& a, const value& b) {
  raise_type(std::string("unsupported operand type(s) for ") +
             arithmetic_symbols[static_cast<int>(how)] + ": '" + type_name(a) + "' and '" +
             type_name(b) + "'");
}

[[noreturn]] void by_zero(const char* what) { raise("ZeroDivisionError", what); }

std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  if (b == 0) by_zero("integer division or modulo by zero");
  if (b == -1) {
    if (a == INT64_MIN) too_big();
    return -a;
  }
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t modulo(std::int64_t a, std::int64_t b) {
  if (b == 0) by_zero("integer modulo by zero");
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double floor_division(double a, double b) {
  const double exact = (a - modulo(a, b)) / b;
  if (exact == 0) return std::copysign(0.0, a / b);
  const double floored = std::floor(exact);
  return exact - floored > 0.5 ? floored + 1 : floored;
}

value real_power(double a, double b) {
  if (a == 0 && b < 0) by_zero("0.0 cannot be raised to a negative power");
  if (a < 0 && std::isfinite(b) && b != std::floor(b)) raise_unsupported("a complex number");
  const double out = std::pow(a, b);
  if (std::isinf(out) && std::isfinite(a) && std::isfinite(b))
    raise("OverflowError", "(34, 'Numerical result out of range')");
  return value(out);
}

value power(std::int64_t a, std::int64_t b) {
  if (b < 0) return real_power(static_cast<double>(a), static_cast<double>(b));
  std::int64_t out = 1;
  std::int64_t square = a;
  for (; b > 0; b >>= 1) {
    if ((b & 1) != 0 && __builtin_mul_overflow(out, square, &out)) too_big();
    if (b > 1 && __builtin_mul_overflow(square, square, &square)) too_big();
  }
  return value(out);
}

value whole(arithmetic how, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  switch (how) {
    case arithmetic::add:
      if (__builtin_add_overflow(a, b, &out)) too_big();
      return value(out);
    case arithmetic::sub:
      if (__builtin_sub_overflow(a, b, &out)) too_big();
      return value(out);
    case arithmetic::mul:
      if (__builtin_mul_overflow(a, b, &out)) too_big();
      return value(out);
    case arithmetic::div:
      if (b == 0) by_zero("division by zero");
      return value(static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b)));
    case arithmetic::floordiv: return value(floor_division(a, b));
    case arithmetic::mod: return value(modulo(a, b));
    case arithmetic::pow: return power(a, b);
  }
  return {};
}

value real(arithmetic how, double a, double b) {
  switch (how) {
    case arithmetic::add: return value(a + b);
    case arithmetic::sub: return value(a - b);
    case arithmetic::mul: return value(a * b);
    case arithmetic::div:
      if (b == 0) by_zero("float division by zero");
      return value(a / b);
    case arithmetic::floordiv:
      if (b == 0) by_zero("float floor division by zero");
      return value(floor_division(a, b));
    case arithmetic::mod:
      if (b == 0) by_zero("float modulo");
      return value(modulo(a, b));
    case arithmetic::pow: return real_power(a, b);
  }
  return {};
}

bool sequence(const value& of) {
  return of.is(kind::text) || of.is(kind::list) || of.is(kind::tuple);
}

value concatenate(rendering& r, const value& a, const value& b) {
  if (a.is(kind::text)) {
    if (!b.is(kind::text) && is_markup(a)) refuse(arithmetic::add, a, b);
    if (!b.is(kind::text))
      raise_type("can only concatenate str (not \"" + type_name(b) + "\") to str");
    const bool left = a.as<text_object>().markup;
    const bool right = b.as<text_object>().markup;
    r.allow(a.text().size() + b.text().size());
    std::string out;
    out.reserve(a.text().size() + b.text().size());
    out += right && !left ? escaped(a.text()) : std::string(a.text());
    out += left && !right ? escaped(b.text()) : std::string(b.text());
    return r.text(std::move(out), left || right);
  }
  if (a.what() != b.what())
    raise_type("can only concatenate " + type_name(a) + " (not \"" + type_name(b) + "\") to " +
               type_name(a));
  values out = a.as<sequence_object>().items;
  const values& more = b.as<sequence_object>().items;
  out.insert(out.end(), more.begin(), more.end());
  return r.sequence(a.what(), std::move(out));
}

value repeat(rendering& r, const value& of, const value& times) {
  if (!times.is_whole())
    raise_type("can't multiply sequence by non-int of type '" + type_name(times) + "'");
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(times.integer(), 0));
  const std::size_t size =
      of.is(kind::text) ? of.text().size() : of.as<sequence_object>().items.size() * sizeof(value);
  std::size_t all = 0;
  if (__builtin_mul_overflow(size, count, &all)) all = SIZE_MAX;
  r.allow(all);
  if (of.is(kind::text)) {
    std::string out;
    out.reserve(all);
    for (std::size_t i = 0; size > 0 && i < count; ++i)
      out += of.text();
    return r.text(std::move(out), of.as<text_object>().markup);
  }
  values out;
  out.reserve(all / sizeof(value));
  for (std::size_t i = 0; size > 0 && i < count; ++i)
    out.insert(out.end(), of.as<sequence_object>().items.begin(),
               of.as<sequence_object>().items.end());
  return r.sequence(of.what(), std::move(out));
}

}  // namespace

value calculate(rendering& r, arithmetic how, const value& a, const value& b) {
  if (a.is_whole() && b.is_whole()) return whole(how, a.integer(), b.integer());
  if (a.is_number() && b.is_number()) return real(how, a.number(), b.number());
  if (how == arithmetic::mod && a.is(kind::text)) return percent(r, a, b);
  if (a.is(kind::undefined)) raise_undefined(a);
  if (b.is(kind::undefined)) raise_undefined(b);
  if (how == arithmetic::mul && (is_markup(a) || is_markup(b)))
    return is_markup(a) ? repeat(r, a, value(index_of(b))) : repeat(r, b, value(index_of(a)));
  if (how == arithmetic::add && sequence(a)) return concatenate(r, a, b);
  if (how == arithmetic::mul && sequence(a)) return repeat(r, a, b);
  if (how == arithmetic::mul && sequence(b)) return repeat(r, b, a);
  refuse(how, a, b);
}

value negate(const value& of) {
  if (of.is_whole()) {
    if (of.integer() == INT64_MIN) too_big();
    return value(-of.integer());
  }
  if (of.is(kind::real)) return value(-of.number());
  if (of.is(kind::undefined)) raise_undefined(of);
  raise_type("bad operand type for unary -: '" + type_name(of) + "'");
}

value posit(const value& of) {
  if (of.is_whole()) return value(of.integer());
  if (of.is(kind::real)) return of;
  if (of.is(kind::undefined)) raise_undefined(of);
  raise_type("bad operand type for unary +: '" + type_name(of) + "'");
}

}  // namespace jinja
