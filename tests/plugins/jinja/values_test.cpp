// Tests that the values of templates print, compare and compute like Python's values. The name of
// each test continues "values".
#include <gtest/gtest.h>

#include "plugins/jinja/rendering.hpp"

namespace jinja {
namespace {

/// The text that a template prints for `expression`, or the error as "TYPE: MESSAGE". `context`:
/// the variables of the template as JSON.
std::string shown_value(const std::string& expression, std::string_view context = "{}") {
  return rendered("{{ " + expression + " }}", context);
}

TEST(jinja_values, are_printed_as_by_pythons_str) {
  EXPECT_EQ(shown_value("[1, 2.0, 'a', none, true, (1,), {}]"),
            "[1, 2.0, 'a', None, True, (1,), {}]");
  EXPECT_EQ(shown_value("{'k': [\"it's\", 'q\"']}"), "{'k': [\"it's\", 'q\"']}");
  EXPECT_EQ(shown_value("missing"), "");
  EXPECT_EQ(shown_value("[missing]"), "[Undefined]");
  EXPECT_EQ(shown_value("[x]", "{\"x\": \"a\\u200b\\u00a0\\u65e5\\u0007\\n\\\\\"}"),
            "['a\\u200b\\xa0日\\x07\\n\\\\']");
  EXPECT_EQ(shown_value("[1e16, 1e15, 0.0001, 0.00001, 1e-7, 123.456, -0.0]"),
            "[1e+16, 1000000000000000.0, 0.0001, 1e-05, 1e-07, 123.456, -0.0]");
  EXPECT_EQ(shown_value("[5e-324, 9999999999999998.0, 1e308 * 10, -1e308 * 10]"),
            "[5e-324, 9999999999999998.0, inf, -inf]");
  EXPECT_EQ(shown_value("range(1, 9, 3)"), "range(1, 9, 3)");
  EXPECT_EQ(shown_value("range(1, 9, 3)[::2]"), "range(1, 10, 6)");
  EXPECT_EQ(shown_value("range(9223372036854775806, 9223372036854775807, 5)"),
            "range(9223372036854775806, 9223372036854775807, 5)");
  EXPECT_EQ(shown_value("range(0, 9223372036854775807, 9223372036854775807)[::3]|list"), "[0]");
}

TEST(jinja_values, compute_as_in_python) {
  // In Jinja2, a sign binds stronger than **, so -2 ** 2 is 4; in Python it is -4.
  EXPECT_EQ(shown_value("7 // -2, -7 % 3, 2 ** 10, 2 ** -1, 7 / 2, -2 ** 2"),
            "(-4, 2, 1024, 0.5, 3.5, 4)");
  EXPECT_EQ(shown_value("'ab' * 3 ~ [1] * 2 ~ (true + 1)"), "ababab[1, 1]2");
  EXPECT_EQ(shown_value("'a' + 1"), "TypeError: can only concatenate str (not \"int\") to str");
  EXPECT_EQ(shown_value("1 + 'a'"),
            "TypeError: unsupported operand type(s) for +: 'int' and 'str'");
  EXPECT_EQ(shown_value("[] + 'a'"), "TypeError: can only concatenate list (not \"str\") to list");
  EXPECT_EQ(shown_value("1 / 0"), "ZeroDivisionError: division by zero");
  EXPECT_EQ(shown_value("1 // 0"), "ZeroDivisionError: integer division or modulo by zero");
  EXPECT_EQ(shown_value("x + 1"), "UndefinedError: 'x' is undefined");
}

TEST(jinja_values, raise_overflow_error_beyond_64_bits) {
  for (const char* const expression : {"9223372036854775807 + 1", "9223372036854775807 * 2",
                                       "2 ** 64", "10 ** 30 // 7", "-9223372036854775807 - 2"})
    EXPECT_TRUE(shown_value(expression).starts_with("OverflowError: ")) << expression;
  EXPECT_EQ(shown_value("9223372036854775807"), "9223372036854775807");
  EXPECT_TRUE(rendered("{{ x }}", "{\"x\": 9223372036854775808}").starts_with("OverflowError: "));
}

TEST(jinja_values, compare_as_in_python) {
  EXPECT_EQ(shown_value("1 == 1.0, 1 == true, 'a' == 1, [1, 'x'] == [1.0, 'x'], {} == []"),
            "(True, True, False, True, False)");
  EXPECT_EQ(shown_value("1 < 2 < 3, 3 > 2 > 2, [1, 2] < [1, 3], 'a' < 'é'"),
            "(True, False, True, True)");
  EXPECT_EQ(shown_value("1 < 'a'"),
            "TypeError: '<' not supported between instances of 'int' and 'str'");
  EXPECT_EQ(shown_value("9007199254740993 == 9007199254740992.0"), "False");
  EXPECT_EQ(shown_value("{1: 'a'}[true] ~ {1: 'a'}[1.0]"), "aa");
}

TEST(jinja_values, are_found_by_the_operator_in) {
  EXPECT_EQ(shown_value("'b' in 'abc', 2 in [1, 2], 'k' in {'k': 1}, 1 in missing"),
            "(True, True, True, False)");
  EXPECT_EQ(shown_value("1 in 'abc'"),
            "TypeError: 'in <string>' requires string as left operand, not int");
  EXPECT_EQ(shown_value("1 in none"), "TypeError: argument of type 'NoneType' is not iterable");
  EXPECT_EQ(shown_value("[] in {}"), "TypeError: unhashable type: 'list'");
}

TEST(jinja_values, are_sliced_by_code_points) {
  EXPECT_EQ(shown_value("x[1], x[-1], x[::-1], x[1:3], x[::2], x[-2:], x[5:1:-1]",
                        "{\"x\": \"aé日😀b\"}"),
            "('é', 'b', 'b😀日éa', 'é日', 'a日b', '😀b', 'b😀日')");
  EXPECT_EQ(shown_value("[1, 2, 3][-100:100], (1, 2, 3)[1:], range(9)[2:7:2]|list"),
            "([1, 2, 3], (2, 3), [2, 4, 6])");
  EXPECT_EQ(shown_value("x[1:]", "{\"x\": null}"),
            "TypeError: 'NoneType' object is not subscriptable");
  EXPECT_EQ(shown_value("x[::0]", "{\"x\": \"a\"}"), "ValueError: slice step cannot be zero");
}

// The values are those of Python. Each element fits into 64 bits, but the step times 2 does not.
TEST(jinja_values, of_a_range_with_a_large_step_are_those_of_python) {
  const std::string up = "range(-9223372036854775807, 9223372036854775807, 6148914691236517205)";
  EXPECT_EQ(shown_value(up + "|list"),
            "[-9223372036854775807, -3074457345618258602, 3074457345618258603]");
  EXPECT_EQ(shown_value(up + "[2], " + up + "[-1]"), "(3074457345618258603, 3074457345618258603)");
  EXPECT_EQ(shown_value(up + "|reverse|list"),
            "[3074457345618258603, -3074457345618258602, -9223372036854775807]");
  EXPECT_EQ(shown_value(up + "[::2]|list"), "[-9223372036854775807, 3074457345618258603]");
}

TEST(jinja_values, name_a_missing_member_in_errors) {
  const auto* const context = "{\"d\": {\"a\": 1}, \"l\": [1], \"n\": null}";
  EXPECT_EQ(shown_value("d.x", context), "");
  EXPECT_EQ(shown_value("d.x.y", context), "UndefinedError: 'dict object' has no attribute 'x'");
  EXPECT_EQ(shown_value("l[3].y", context), "UndefinedError: list object has no element 3");
  EXPECT_EQ(shown_value("n.x.y", context), "UndefinedError: 'None' has no attribute 'x'");
  EXPECT_EQ(shown_value("foo.y", context), "UndefinedError: 'foo' is undefined");
  EXPECT_EQ(shown_value("foo()", context), "UndefinedError: 'foo' is undefined");
  EXPECT_EQ(shown_value("l()", context), "TypeError: 'list' object is not callable");
  EXPECT_EQ(shown_value("(1 if false).x", context),
            "UndefinedError: the inline if-expression on line 1 evaluated to false and no else "
            "section was defined.");
}

TEST(jinja_values, are_not_changed_by_templates) {
  EXPECT_EQ(shown_value("l.append(1)", "{\"l\": []}"),
            "SecurityError: access to attribute 'append' of 'list' object is unsafe.");
  EXPECT_EQ(shown_value("d.pop('a')", "{\"d\": {\"a\": 1}}"),
            "SecurityError: access to attribute 'pop' of 'dict' object is unsafe.");
  EXPECT_EQ(shown_value("''.__class__.__mro__"),
            "SecurityError: access to attribute '__class__' of 'str' object is unsafe.");
}

TEST(jinja_values, prefer_attributes_after_a_dot_and_items_in_brackets) {
  EXPECT_EQ(
      shown_value("d['items'], d.get('items'), d.items is callable", "{\"d\": {\"items\": 1}}"),
      "(1, 1, True)");
}

TEST(jinja_values, keep_the_order_of_dict_keys_and_the_last_value_of_a_repeated_key) {
  EXPECT_EQ(shown_value("d", "{\"d\": {\"b\": 1, \"a\": 2, \"b\": 3}}"), "{'b': 3, 'a': 2}");
  std::string pairs;
  for (int i = 0; i < 50; ++i)
    pairs += (i == 0 ? "\"k" : ", \"k") + std::to_string(i) + "\": " + std::to_string(i);
  EXPECT_EQ(shown_value("d.k0 ~ d['k49'] ~ d|length ~ ('k50' in d)", "{\"d\": {" + pairs + "}}"),
            "04950False");
}

TEST(jinja_values, marked_as_safe_escape_text_added_with_plus) {
  EXPECT_EQ(shown_value("'<a>'|safe + '<b>'"), "<a>&lt;b&gt;");
  EXPECT_EQ(shown_value("['<a>'|safe]"), "[Markup('<a>')]");
  EXPECT_EQ(shown_value("'<a>'|safe ~ '<b>'"), "<a><b>");
}

}  // namespace
}  // namespace jinja
