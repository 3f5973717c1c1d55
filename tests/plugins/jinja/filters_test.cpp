// Tests the filters, tests and methods of templates.
#include <gtest/gtest.h>

#include "plugins/jinja/rendering.hpp"

namespace jinja {
namespace {

std::string shown(const std::string& expression, std::string_view context = "{}") {
  return rendered("{{ " + expression + " }}", context);
}

constexpr const char* people =
    R"({"p": [{"n": "b", "a": 2}, {"n": "A", "a": 1}, {"n": "c"}], "d": {"b": 1, "A": [1, "é", null, true, 1.5]}})";

TEST(jinja_filters, write_json_as_python_does) {
  EXPECT_EQ(shown("d|tojson", people), R"({"b": 1, "A": [1, "é", null, true, 1.5]})");
  EXPECT_EQ(shown("d|tojson(sort_keys=true, separators=(',', ':'), ensure_ascii=true)", people),
            R"({"A":[1,"\u00e9",null,true,1.5],"b":1})");
  EXPECT_EQ(shown("{'a': [1, {}], 'b': []}|tojson(indent=2)"),
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}");
  EXPECT_EQ(shown("{1: 2, none: 3, true: 4, 1.5: 5}|tojson"), R"({"1": 4, "null": 3, "1.5": 5})");
  EXPECT_EQ(shown("x|tojson"), "TypeError: Object of type Undefined is not JSON serializable");
  EXPECT_EQ(shown("'\\u007f\\x01\\t<&>'|tojson"), "\"\x7f\\u0001\\t<&>\"");
}

TEST(jinja_filters, go_through_sequences) {
  EXPECT_EQ(shown("p|map(attribute='n')|join(',')", people), "b,A,c");
  EXPECT_EQ(shown("p|map(attribute='a', default=9)|list", people), "[2, 1, 9]");
  EXPECT_EQ(shown("p|sort(attribute='n')|map(attribute='n')|list", people), "['A', 'b', 'c']");
  EXPECT_EQ(shown("p|selectattr('a')|map(attribute='n')|list", people), "['b', 'A']");
  EXPECT_EQ(shown("p|rejectattr('a', 'gt', 1)|list|length", people),
            "UndefinedError: 'dict object' has no attribute 'a'");
  EXPECT_EQ(shown("[1, 2, 3]|select('odd')|list ~ [1, none]|reject('none')|list"), "[1, 3][1]");
  EXPECT_EQ(shown("d|dictsort ~ d|items|list|length", people),
            "[('A', [1, 'é', None, True, 1.5]), ('b', 1)]2");
  EXPECT_EQ(shown("[3, 1, 2]|sort|reverse|list ~ 'abc'|reverse ~ [1, 1, 2]|unique|list"),
            "[3, 2, 1]cba[1, 2]");
  EXPECT_EQ(shown("[[1, 2]|max, ['b', 'A']|min, [1, 2]|sum, [1]|first, [1, 2]|last]"),
            "[2, 'A', 3, 1, 2]");
  EXPECT_EQ(shown("[1, 'a', 2]|sort"),
            "TypeError: '<' not supported between instances of 'str' and 'int'");
  EXPECT_EQ(shown("range(5)|batch(2, 0)|list ~ range(5)|slice(2)|list"),
            "[[0, 1], [2, 3], [4, 0]][[0, 1, 2], [3, 4]]");
  EXPECT_EQ(shown("p|groupby('n')|map(attribute='grouper')|list", people), "['A', 'b', 'c']");
  EXPECT_EQ(shown("5|length"), "TypeError: object of type 'int' has no len()");
  EXPECT_EQ(shown("[]|first ~ missing|length ~ missing|list"), "0[]");
}

TEST(jinja_filters, convert_and_fall_back) {
  EXPECT_EQ(
      shown("['42'|int, '42.9'|int, 'x'|int, 'x'|int(7), '0x1f'|int(0, 16), none|int, 3.9|int]"),
      "[42, 42, 0, 7, 31, 0, 3]");
  EXPECT_EQ(shown("['1.5'|float, 'x'|float, 2.5|round, 3.5|round, 2.345|round(2), 7|round(-1)]"),
            "[1.5, 0.0, 2.0, 4.0, 2.35, 10]");
  EXPECT_EQ(shown("[missing|default('d'), ''|default('d'), ''|d('d', true), none|default(1)]"),
            "['d', '', 'd', None]");
  EXPECT_EQ(shown("missing|int"), "UndefinedError: 'missing' is undefined");
}

TEST(jinja_filters, shape_text) {
  EXPECT_EQ(shown("'a\\nb\\n\\nc'|indent(2)"), "a\n  b\n\n  c");
  EXPECT_EQ(shown("'a\\nb'|indent('> ', true)"), "> a\n> b");
  EXPECT_EQ(shown("' xx '|trim ~ 'xax'|trim('x') ~ 'aXb'|capitalize ~ 'ab-cd e'|title"),
            "xxaAxbAb-Cd E");
  EXPECT_EQ(shown("'foo bar baz'|truncate(7, leeway=0) ~ 'a b c'|wordcount"), "foo...3");
  EXPECT_EQ(shown("'aaa'|replace('a', 'b', 2) ~ 12|string|length"), "bba2");
  EXPECT_EQ(shown("'%s-%05.1f' % ('a', 2.55) ~ '%d%%'|format(3)"), "a-002.53%");
  EXPECT_EQ(shown("'straße ÉΣ ὈΔΥΣΣΕΎΣ'|upper ~ 'ÀΣ'|lower"), "STRASSE ÉΣ ὈΔΥΣΣΕΎΣàς");
}

TEST(jinja_filters, complain_about_arguments_as_python_does) {
  EXPECT_EQ(shown("1|default(1, 2, 3)"),
            "TypeError: do_default() takes from 1 to 3 positional arguments but 4 were given");
  EXPECT_EQ(shown("'a'|replace('b')"),
            "TypeError: do_replace() missing 1 required positional argument: 'new'");
  EXPECT_EQ(shown("'a'|join(x=1)"),
            "TypeError: sync_do_join() got an unexpected keyword argument 'x'");
  EXPECT_EQ(shown("'a'.upper(1)"), "TypeError: str.upper() takes no arguments (1 given)");
  EXPECT_EQ(shown("'a'.replace('a')"), "TypeError: replace expected at least 2 arguments, got 1");
}

TEST(jinja_methods, of_strings_are_pythons) {
  EXPECT_EQ(shown("'a,b,,c'.split(',') ~ ' a  b '.split() ~ 'a.b.c'.rsplit('.', 1)"),
            "['a', 'b', '', 'c']['a', 'b']['a.b', 'c']");
  EXPECT_EQ(shown("'a\\r\\nb\\n'.splitlines() ~ 'a'.partition('x')"), "['a', 'b']('a', '', '')");
  EXPECT_EQ(shown("'xxaxx'.strip('x') ~ 'xxa'.lstrip('x') ~ 'axx'.rstrip('x') ~ ' é '.strip()"),
            "aaaé");
  EXPECT_EQ(shown("['hé'.find('é'), 'a'.find('b'), 'aa'.count('a'), 'ab'.startswith(('x', 'a'))]"),
            "[1, -1, 2, True]");
  EXPECT_EQ(
      shown("'{:>5}|{a!r}|{0}'.format(1, a='x')"),
      "ValueError: cannot switch from manual field specification to automatic field numbering");
  EXPECT_EQ(shown("'{:>5}|{a!r}|{:.2f}|{:,}'.format(1, 2.5, 12345, a='x')"),
            "    1|'x'|2.50|12,345");
  EXPECT_EQ(shown("'-'.join(['a', 'b']) ~ 'abc'.replace('', '-') ~ '7'.zfill(3)"), "a-b-a-b-c-007");
  EXPECT_EQ(shown("'a'.join([1])"), "TypeError: sequence item 0: expected str instance, int found");
  EXPECT_EQ(shown("'a'.split('')"), "ValueError: empty separator");
}

TEST(jinja_methods, of_dicts_are_pythons) {
  EXPECT_EQ(shown("d.get('x', 5) ~ d.get('x') ~ d.keys()|list ~ d.items()|length", people),
            "5None['b', 'A']2");
  EXPECT_EQ(shown("d.get([])", people), "TypeError: unhashable type: 'list'");
}

TEST(jinja_tests, are_jinja2s) {
  EXPECT_EQ(shown("[1 is number, true is number, 1 is integer, true is integer, 'a' is string]"),
            "[True, True, True, False, True]");
  EXPECT_EQ(shown("[{} is mapping, [] is iterable, 'a' is sequence, none is none, x is defined]"),
            "[True, True, True, True, False]");
  EXPECT_EQ(
      shown("[3 is odd, 4 is divisibleby 2, 1 is in [1], 'A' is upper, 2 is gt 1, 1 is eq 1.0]"),
      "[True, True, True, True, True, True]");
}

}  // namespace
}  // namespace jinja
