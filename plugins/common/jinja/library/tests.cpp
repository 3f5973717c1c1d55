// The tests of the operator `is`.
#include <algorithm>

#include "builtins.hpp"
#include "common/jinja/python/escape.hpp"
#include "common/jinja/python/python.hpp"
#include "common/jinja/python/unicode.hpp"
#include "filters.hpp"

namespace jinja {

namespace {

bool remainder_is(rendering& r, const value& of, const value& by, std::int64_t wanted) {
  return equals(calculate(r, arithmetic::mod, of, by), value(wanted));
}

value odd(rendering& r, value* a) {
  return value(remainder_is(r, a[0], value(std::int64_t{2}), 1));
}
value even(rendering& r, value* a) {
  return value(remainder_is(r, a[0], value(std::int64_t{2}), 0));
}
value divisible(rendering& r, value* a) { return value(remainder_is(r, a[0], a[1], 0)); }
value defined(rendering&, value* a) { return value(!a[0].is(kind::undefined)); }
value undefined(rendering&, value* a) { return value(a[0].is(kind::undefined)); }
value none(rendering&, value* a) { return value(a[0].is_none()); }
value boolean(rendering&, value* a) { return value(a[0].is(kind::boolean)); }
value is_false(rendering&, value* a) { return value(a[0].is(kind::boolean) && !a[0].boolean()); }
value is_true(rendering&, value* a) { return value(a[0].is(kind::boolean) && a[0].boolean()); }
value test_integer(rendering&, value* a) { return value(a[0].is(kind::integer)); }
value test_real(rendering&, value* a) { return value(a[0].is(kind::real)); }
value test_string(rendering&, value* a) { return value(a[0].is(kind::text)); }
value mapping(rendering&, value* a) { return value(a[0].is(kind::dict)); }
value number(rendering&, value* a) { return value(a[0].is_number()); }
value is_iterable(rendering&, value* a) { return value(iterable(a[0])); }
value same_as(rendering&, value* a) { return value(a[0].same(a[1])); }
value marked(rendering&, value* a) { return value(is_markup(a[0])); }
value in(rendering& r, value* a) { return value(contains(r, a[1], a[0])); }

value test_sequence(rendering&, value* a) {
  const kind of = a[0].what();
  return value(of == kind::text || of == kind::list || of == kind::tuple || of == kind::dict ||
               of == kind::range || of == kind::undefined);
}

value callable(rendering&, value* a) {
  const kind of = a[0].what();
  return value(of == kind::macro || of == kind::native || of == kind::joiner ||
               of == kind::undefined || of == kind::loop);
}

/// str.islower and str.isupper: there are letters with a case, and all of them have the same case.
bool all_of_case(std::string_view text, bool (*wanted)(char32_t), bool (*other)(char32_t)) {
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = unicode::next(text, at);
    if (other(c) || unicode::title(c)) return false;
    any = any || wanted(c);
  }
  return any;
}

value test_lower(rendering& r, value* a) {
  return value(all_of_case(str(r, a[0]), unicode::lower, unicode::upper));
}
value test_upper(rendering& r, value* a) {
  return value(all_of_case(str(r, a[0]), unicode::upper, unicode::lower));
}

value filter(rendering&, value* a) {
  require_hashable(a[0]);
  return value(a[0].is(kind::text) && find_filter(a[0].text()) != nullptr);
}
value test(rendering&, value* a) {
  require_hashable(a[0]);
  return value(a[0].is(kind::text) && find_test(a[0].text()) != nullptr);
}

template <comparison How>
value compared(rendering& r, value* a) {
  return value(compare(r, How, a[0], a[1]));
}

constexpr signature operation(const char* name, plain_function run) {
  return {name, {"a", "b"}, 2, run, manner::positional};
}

constexpr signature eq = operation("eq", compared<comparison::eq>);
constexpr signature ne = operation("ne", compared<comparison::ne>);
constexpr signature gt = operation("gt", compared<comparison::gt>);
constexpr signature ge = operation("ge", compared<comparison::gteq>);
constexpr signature lt = operation("lt", compared<comparison::lt>);
constexpr signature le = operation("le", compared<comparison::lteq>);

constexpr entry test_entries[] = {
    {"odd", {"test_odd", {"value"}, 1, odd}},
    {"even", {"test_even", {"value"}, 1, even}},
    {"divisibleby", {"test_divisibleby", {"value", "num"}, 2, divisible}},
    {"defined", {"test_defined", {"value"}, 1, defined}},
    {"undefined", {"test_undefined", {"value"}, 1, undefined}},
    {"filter", {"test_filter", {"value"}, 1, filter, manner::python, 1}},
    {"test", {"test_test", {"value"}, 1, test, manner::python, 1}},
    {"none", {"test_none", {"value"}, 1, none}},
    {"boolean", {"test_boolean", {"value"}, 1, boolean}},
    {"false", {"test_false", {"value"}, 1, is_false}},
    {"true", {"test_true", {"value"}, 1, is_true}},
    {"integer", {"test_integer", {"value"}, 1, test_integer}},
    {"float", {"test_float", {"value"}, 1, test_real}},
    {"lower", {"test_lower", {"value"}, 1, test_lower}},
    {"upper", {"test_upper", {"value"}, 1, test_upper}},
    {"string", {"test_string", {"value"}, 1, test_string}},
    {"mapping", {"test_mapping", {"value"}, 1, mapping}},
    {"number", {"test_number", {"value"}, 1, number}},
    {"sequence", {"test_sequence", {"value"}, 1, test_sequence}},
    {"iterable", {"test_iterable", {"value"}, 1, is_iterable}},
    {"callable", {"callable", {"obj"}, 1, callable, manner::positional}},
    {"sameas", {"test_sameas", {"value", "other"}, 2, same_as}},
    {"escaped", {"test_escaped", {"value"}, 1, marked}},
    {"in", {"test_in", {"value", "seq"}, 2, in}},
    {"==", eq},
    {"eq", eq},
    {"equalto", eq},
    {"!=", ne},
    {"ne", ne},
    {">", gt},
    {"gt", gt},
    {"greaterthan", gt},
    {"ge", ge},
    {">=", ge},
    {"<", lt},
    {"lt", lt},
    {"lessthan", lt},
    {"<=", le},
    {"le", le},
};

}  // namespace

const signature* find_test(std::string_view name) {
  const auto* const at = std::ranges::find(test_entries, name, &entry::name);
  return at == std::end(test_entries) ? nullptr : &at->is;
}

}  // namespace jinja
