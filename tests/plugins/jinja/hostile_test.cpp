// Tests hostile and broken templates and contexts: the worst result is an error.
#include <random>

#include <gtest/gtest.h>

#include "plugins/jinja/rendering.hpp"
#include "support/sanitizer.hpp"

namespace jinja {
namespace {

std::string repeated(std::string_view what, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i)
    out += what;
  return out;
}

TEST(jinja_hostile, nesting_ends_in_an_error) {
  for (const char* const opening :
       {"{{ (", "{{ [", "{{ -", "{{ not ", "{{ {1:", "{{ a[", "{{ f("}) {
    const std::string source =
        std::string(opening) + repeated(std::string_view(opening).substr(3), 20000);
    EXPECT_NE(rendered(source).find("Error: "), std::string::npos) << opening;
  }
  for (const char* const chain : {"+1", ".a", "|string", "()", " if 1", "**1", " is eq 1", " or 1"})
    EXPECT_TRUE(rendered("{{ a" + repeated(chain, 5000) + " }}").starts_with("RecursionError: "))
        << chain;
  EXPECT_NE(rendered(repeated("{% if 1 %}", 20000)).find("Error: "), std::string::npos);
  EXPECT_NE(rendered("{}", repeated("{\"a\":", 200000)).size(), 0U);
  const std::string deep = repeated("[", 100000) + repeated("]", 100000);
  EXPECT_EQ(rendered("{{ a|length }}", "{\"a\": " + deep + "}"), "1");
  EXPECT_TRUE(rendered("{{ a }}", "{\"a\": " + deep + "}").starts_with("RecursionError: "));
  EXPECT_TRUE(rendered("{{ a|tojson }}", "{\"a\": " + deep + "}").starts_with("RecursionError: "));
  EXPECT_TRUE(rendered("{{ a == a[0] }}", "{\"a\": " + deep + "}").starts_with("RecursionError: "));
}

TEST(jinja_hostile, recursion_of_macros_ends_in_an_error) {
  EXPECT_TRUE(
      rendered("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}").starts_with("RecursionError: "));
  EXPECT_TRUE(rendered("{% macro m(n) %}{% for i in [1] %}{% if true %}{{ [m(n ~ 'x')]|join }}"
                       "{% endif %}{% endfor %}{% endmacro %}{{ m('') }}")
                  .starts_with("RecursionError: "));
  EXPECT_EQ(
      rendered("{% macro m(n) %}{% if n %}.{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(100) }}")
          .size(),
      100U);
  EXPECT_TRUE(rendered("{% set n = namespace(g=[1]) %}{% for i in range(20000) %}"
                       "{% set n.g = n.g|map('string') %}{% endfor %}{{ n.g|list }}")
                  .starts_with("RecursionError: "));
}

TEST(jinja_hostile, growth_ends_in_an_error) {
  const auto bounded = [](const char* source) {
    options how = at_friday();
    how.max_output = 1 << 20;
    how.max_memory = 16 << 20;
    how.max_steps = 1'000'000;
    const std::string out = rendered(source, "{}", how);
    EXPECT_TRUE(out.starts_with("MemoryError: ") || out.starts_with("TimeoutError: "))
        << source << ": " << out.substr(0, 200);
  };
  bounded("{{ 'a' * 10000000000 }}");
  bounded("{{ [1] * 10000000000 }}");
  bounded("{{ 'aa'.center(100000000000) }}");
  bounded("{{ '%1000000000d' % 1 }}");
  bounded("{{ '{:1000000000}'.format(1) }}");
  bounded("{{ 'x'.zfill(1000000000) }}");
  bounded("{{ [[]]|tojson(indent=1000000000) }}");
  bounded(
      "{% set n = namespace(s='a') %}{% for i in range(100) %}{% set n.s = n.s ~ n.s %}{% endfor "
      "%}");
  bounded(
      "{% set n = namespace(s=[0]) %}{% for i in range(100) %}{% set n.s = n.s + n.s %}{% endfor "
      "%}");
  bounded(
      "{% set n = namespace(s=[0]) %}{% for i in range(100) %}{% set n.s = [n.s, n.s] %}{% endfor "
      "%}{{ n.s == [n.s] }}");
  bounded(
      "{% set n = namespace(s=[0]) %}{% for i in range(100) %}{% set n.s = [n.s, n.s] %}{% endfor "
      "%}{{ n.s }}");
  bounded(
      "{% set n = namespace(s=(0,)) %}{% for i in range(100) %}{% set n.s = (n.s, n.s) %}{% endfor "
      "%}{{ {n.s: 1} }}");
  bounded("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}");
  bounded("{% for i in range(99999) %}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{% endfor %}");
  bounded(
      "{% set n = namespace(s=[]) %}{% for i in range(99999) %}{% set n.s = n.s + [i ~ 'abcdefgh' "
      "* 99] %}{% endfor %}");
  EXPECT_EQ(
      rendered("{{ range(100001)|list }}"),
      "OverflowError: Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).");
}

TEST(jinja_hostile, cycles_are_released) {
  EXPECT_EQ(rendered("{% set n = namespace() %}{% set n.n = n %}{% set n.l = [n, {'k': n}] %}"
                     "{% macro m(a) %}{% set n.m = m %}{{ a }}{% endmacro %}{{ m(n is defined) }}"),
            "True");
  EXPECT_EQ(
      rendered("{% set n = namespace() %}{% set n.n = n %}{% for i in [1] %}{% set n.l = loop %}"
               "{{ loop.changed(loop) }}{% endfor %}{% set n.c = cycler(n, 1) %}"
               "{% set n.g = [n]|map('string') %}"),
      "True");
  EXPECT_TRUE(rendered("{% set n = namespace() %}{% set n.n = n %}{{ n }}").find("Error") !=
              std::string::npos);
}

TEST(jinja_hostile, bytes_that_are_not_text_are_refused) {
  EXPECT_TRUE(rendered("a\xff").starts_with("UnicodeDecodeError: "));
  EXPECT_TRUE(rendered("{{ a }}", "{\"a\": \"\xc3\"}").starts_with("ValueError: "));
  EXPECT_TRUE(rendered("{{ a }}", "[]").starts_with("TypeError: "));
  EXPECT_TRUE(rendered("{{ a }}", "").starts_with("ValueError: "));
  EXPECT_TRUE(rendered("{{ '\\ud800' }}").starts_with("NotImplementedError: "));
  EXPECT_EQ(rendered("{{ a|length }}", "{\"a\": \"x\\u0000y\"}"), "3");
}

// Pieces of templates, and pieces that break templates.
constexpr const char* pieces[] = {"{{ ",
                                  " }}",
                                  "{% ",
                                  " %}",
                                  "{%- ",
                                  " -%}",
                                  "{# ",
                                  " #}",
                                  "for ",
                                  "in ",
                                  "if ",
                                  "else ",
                                  "endfor ",
                                  "endif ",
                                  "set ",
                                  "endset ",
                                  "macro ",
                                  "endmacro ",
                                  "break ",
                                  "a",
                                  "m",
                                  "loop.index",
                                  ".x",
                                  "[0]",
                                  "[::-1]",
                                  "(",
                                  ")",
                                  "|tojson",
                                  "|list",
                                  "|map('upper')",
                                  "|join(',')",
                                  " is ",
                                  "defined",
                                  "not ",
                                  "and ",
                                  "~",
                                  "+",
                                  "*",
                                  "%",
                                  "'s'",
                                  "\"é\"",
                                  "1",
                                  "2.5",
                                  "none",
                                  "[1, 2]",
                                  "{'a': 1}",
                                  "namespace()",
                                  ", ",
                                  "=",
                                  "\n",
                                  "raw ",
                                  "endraw ",
                                  "range(9)",
                                  ".split()",
                                  ".format(",
                                  "|sort",
                                  "'%s' % ",
                                  "generation ",
                                  "endgeneration ",
                                  "\\",
                                  "{",
                                  "}"};

TEST(jinja_hostile, mutated_templates_end) {
  std::mt19937 random(20240726);
  const auto pick = [&](std::size_t of) { return static_cast<std::size_t>(random() % of); };
  const std::string seeds[] = {
      "{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{% for x in l %}{{ m(x) }}{% endfor %}",
      "{% set n = namespace(x=0) %}{% for k, v in d.items() %}{% set n.x = v %}{{ k ~ n.x }}{% "
      "endfor %}",
      "{{ l|map('string')|join(', ') }}{{ d|tojson(indent=2) }}{{ s[1:] ~ s[::-1] }}",
      "{%- if s is string and l -%}{{ s.split('e')[0]|upper }}{%- elif d -%}{{ d }}{%- else "
      "-%}x{%- endif -%}",
      "{{ '%s %d' % (s, 1) }}{{ '{:>9}'.format(s) }}{{ l|sort|unique|list }}{{ loop }}"};
  const std::string context =
      R"({"l": [3, "a", null, [1]], "d": {"a": 1, "b": [true]}, "s": "héllo", "a": 2.5})";
  options how = at_friday();
  how.max_output = 1 << 16;
  how.max_memory = 1 << 22;
  how.max_steps = 20000;
  std::size_t fine = 0;
  for (int i = 0; i < inferbench::support::reduced(10'000); ++i) {
    std::string source = seeds[pick(std::size(seeds))];
    for (std::size_t edits = 1 + pick(2); edits > 0; --edits) {
      const std::size_t at = pick(source.size() + 1);
      switch (pick(4)) {
        case 0: source.insert(at, pieces[pick(std::size(pieces))]); break;
        case 1: source.erase(at, 1 + pick(3)); break;
        case 2: source.insert(at, source.substr(pick(source.size() + 1), pick(20))); break;
        default:
          if (at < source.size()) source[at] = static_cast<char>(random() % 128);
      }
    }
    std::string variables = context;
    if (pick(4) == 0) variables[pick(variables.size())] = static_cast<char>(random() % 128);
    if (rendered(source, variables, how).find("Error: ") == std::string::npos) ++fine;
  }
  // Most templates must pass the parser, otherwise the test would cover only the parser.
  EXPECT_GT(fine, inferbench::support::reduced(500U));
}

TEST(jinja_hostile, made_up_templates_end) {
  std::mt19937 random(1);
  options how = at_friday();
  how.max_output = 1 << 16;
  how.max_memory = 1 << 22;
  how.max_steps = 20000;
  for (int i = 0; i < inferbench::support::reduced(10'000); ++i) {
    std::string source;
    for (std::size_t n = 1 + random() % 24; n > 0; --n)
      source += pieces[random() % std::size(pieces)];
    static_cast<void>(rendered(source, R"({"a": [1, {"x": "y"}], "m": "é"})", how));
  }
}

}  // namespace
}  // namespace jinja
