// Statements, scopes and white space behave as in Jinja2 with the set-up of transformers, such as
// trim_blocks and lstrip_blocks (chat_template.hpp).
#include <gtest/gtest.h>

#include "plugins/jinja/rendering.hpp"

namespace jinja {
namespace {

TEST(jinja_statements, remove_the_line_end_behind_a_block_and_the_blanks_before_it) {
  EXPECT_EQ(rendered("a\n  {% if true %}\n  b\n  {% endif %}\nc\n"), "a\n  b\nc");
  EXPECT_EQ(rendered("a\n  {%+ if true %}\n  b{% endif +%}\nc\n\n"), "a\n    b\nc\n");
  EXPECT_EQ(rendered("a \n {%- if true -%} \n b {%- endif %}\n\nc"), "ab\nc");
  EXPECT_EQ(rendered("a\n  {# x #}\n b {# y #} c"), "a\n b  c");
  EXPECT_EQ(rendered("  {{ 1 }}\n  {{- 2 -}}  \n3"), "  123");
  EXPECT_EQ(rendered("{% raw %}{{ x }}{% y %}{% endraw %}\nz"), "{{ x }}{% y %}z");
  EXPECT_EQ(rendered("a\r\nb\rc\n"), "a\nb\nc");
}

TEST(jinja_statements, end_assignments_with_their_loop) {
  EXPECT_EQ(rendered("{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}"
                     "{{ x }}"),
            "231");
  EXPECT_EQ(rendered("{% set n = namespace(x=0) %}{% for i in [1, 2] %}{% set n.x = n.x + i %}"
                     "{% endfor %}{{ n.x }}"),
            "3");
  EXPECT_EQ(rendered("{% if true %}{% set x = 1 %}{% endif %}{{ x }}"), "1");
  EXPECT_EQ(rendered("{% if false %}{% set x = 1 %}{% endif %}{{ x }}", "{\"x\": 5}"), "5");
  EXPECT_EQ(rendered("{{ x }}{% set x = 1 %}{{ x }}", "{\"x\": 5}"), "51");
  EXPECT_EQ(
      rendered("{% for i in [1] %}{% if i %}{% set y = i %}{% endif %}{{ y }}{% endfor %}{{ y }}"),
      "1");
}

TEST(jinja_statements, give_a_macro_the_values_that_outer_variables_have_at_the_call) {
  EXPECT_EQ(rendered("{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 2 %}{{ m() }}"),
            "2");
  EXPECT_EQ(rendered("{% macro m(a, b=a, c=3) %}{{ a }}{{ b }}{{ c }}{% endmacro %}"
                     "{{ m(1) }}{{ m(1, c=5) }}{{ m(b=2, a=7) }}"),
            "113115723");
  EXPECT_EQ(rendered("{% macro m(a) %}[{{ a }}]{{ varargs }}{{ kwargs }}{% endmacro %}"
                     "{{ m(1, 2, k=3) }}{{ m() }}"),
            "[1](2,){'k': 3}[](){}");
  EXPECT_EQ(rendered("{% macro m(a) %}{{ a.x }}{% endmacro %}{{ m() }}"),
            "UndefinedError: parameter 'a' was not provided");
  EXPECT_EQ(rendered("{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}"),
            "TypeError: macro 'm' takes not more than 1 argument(s)");
  EXPECT_EQ(rendered("{% macro m(a) %}{% endmacro %}{{ m(b=2) }}"),
            "TypeError: macro 'm' takes no keyword argument 'b'");
  EXPECT_EQ(rendered("{% macro m() %}<{{ caller(1) }}>{% endmacro %}"
                     "{% call(x) m() %}{{ x }}!{% endcall %}"),
            "<1!>");
}

TEST(jinja_statements, give_a_loop_its_position_and_its_neighbours) {
  EXPECT_EQ(rendered("{% for i in 'abc' %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}"
                     "{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}"
                     "{{ loop.nextitem }}|{% endfor %}"),
            "103TrueFalse3b|212FalseFalse3ac|321FalseTrue3b|");
  EXPECT_EQ(rendered("{% for i in 'aab' if i != 'b' %}{{ loop.changed(i) }}{{ loop.last }}"
                     "{{ loop.cycle(1, 2) }}{% else %}none{% endfor %}"),
            "TrueFalse1FalseTrue2");
  EXPECT_EQ(rendered("{% for k, (a, b) in [[1, (2, 3)]] %}{{ k }}{{ a }}{{ b }}{% endfor %}"),
            "123");
  EXPECT_EQ(rendered("{% for i in [] %}x{% else %}none{% endfor %}"), "none");
  EXPECT_EQ(rendered("{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}"
                     "{% if i == 3 %}{% break %}{% endif %}{% endfor %}"),
            "13");
  EXPECT_EQ(rendered("{% for a, b in [[1]] %}{% endfor %}"),
            "ValueError: not enough values to unpack (expected 2, got 1)");
  EXPECT_EQ(rendered("{% for a in none %}{% endfor %}"),
            "TypeError: 'NoneType' object is not iterable");
}

TEST(jinja_statements, capture_and_filter_blocks) {
  EXPECT_EQ(rendered("{% set x %}a{{ 1 }}{% endset %}{{ x|length }}"), "2");
  EXPECT_EQ(rendered("{% set x | upper %}abc{% endset %}{{ x }}"), "ABC");
  EXPECT_EQ(rendered("{% filter upper %}a{{ 'b' }}{% endfilter %}"), "AB");
  EXPECT_EQ(rendered("{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}"), "12");
  EXPECT_EQ(rendered("{% generation %}{% set x = 1 %}{{ x }}{% endgeneration %}{{ x }}"), "1");
}

TEST(jinja_statements, give_generators_one_pass) {
  EXPECT_EQ(rendered("{% set g = [1, 2]|map('string') %}{{ g|list }}{{ g|list }}"), "['1', '2'][]");
  EXPECT_EQ(rendered("{% set g = [1]|map('nothing') %}fine"), "fine");
  EXPECT_EQ(rendered("{{ [1]|select|tojson }}"),
            "TypeError: Object of type generator is not JSON serializable");
}

TEST(jinja_statements, refuse_invalid_syntax) {
  const auto refuses = [](const char* source, const char* message) {
    EXPECT_EQ(rendered(source), message) << source;
  };
  refuses("{{ 1 + }}", "TemplateSyntaxError: unexpected 'end of print statement'");
  refuses("{% if x %}",
          "TemplateSyntaxError: Unexpected end of template. Jinja was looking for the "
          "following tags: 'elif' or 'else' or 'endif'. The innermost block that "
          "needs to be closed is 'if'.");
  refuses("{% endfor %}", "TemplateSyntaxError: Encountered unknown tag 'endfor'.");
  refuses("{{ (1 }}", "TemplateSyntaxError: unexpected '}', expected ')'");
  refuses("{{ a b }}", "TemplateSyntaxError: expected token 'end of print statement', got 'b'");
  refuses("{{ 'x", "TemplateSyntaxError: unexpected char \"'\" at 3");
  refuses("{# x", "TemplateSyntaxError: Missing end of comment tag");
  refuses("{{ x|nofilter }}", "TemplateAssertionError: No filter named 'nofilter'.");
  // An unknown filter in a branch is an error only if the branch runs.
  refuses("{% if false %}{{ x|nofilter }}{% endif %}", "");
  refuses("{% if true %}{{ x|nofilter }}{% endif %}",
          "TemplateRuntimeError: No filter named 'nofilter' found.");
  refuses("{{ 1 is odder }}", "TemplateAssertionError: No test named 'odder'.");
  refuses("{% set 1 = 2 %}", "TemplateSyntaxError: can't assign to 'const'");
  refuses("{% break %}", "SyntaxError: 'break' outside loop");
  refuses("{% set a.b = 1 %}",
          "TemplateRuntimeError: cannot assign attribute on non-namespace object");
}

TEST(jinja_statements, report_unsupported_statements_with_template_and_line) {
  try {
    static_cast<void>(compile("a\n\n{% include 'x' %}", "model.jinja"));
    FAIL();
  } catch (const error& failed) {
    EXPECT_STREQ(failed.what(),
                 "model.jinja:3: NotImplementedError: the tag 'include' is not supported in chat "
                 "templates");
    EXPECT_EQ(failed.line(), 3);
    EXPECT_EQ(failed.name(), "model.jinja");
  }
  for (const char* const source : {"{% block x %}{% endblock %}", "{% extends 'x' %}",
                                   "{% for a in b recursive %}{% endfor %}", "{{ 'a'|urlize }}",
                                   "{{ 'a'.encode() }}", "{{ lipsum() }}", "{{ self.x() }}"})
    EXPECT_TRUE(rendered(source).starts_with("NotImplementedError: ")) << source;
}

TEST(jinja_statements, let_templates_raise_errors_and_read_the_time) {
  EXPECT_EQ(rendered("{{ raise_exception('no ' ~ 1) }}"), "TemplateError: no 1");
  EXPECT_EQ(rendered("{{ strftime_now('%Y-%m-%d %H:%M:%S %A %d %b %f%%') }}"),
            "2024-07-26 12:34:56 Friday 26 Jul 000000%");
  EXPECT_EQ(rendered(R"({{ strftime_now('%Y\x00%m') }})"), "2024");
  try {
    static_cast<void>(compile("\n\n{{ raise_exception('x') }}", "m").render("{}"));
    FAIL();
  } catch (const error& failed) {
    EXPECT_STREQ(failed.what(), "m:3: TemplateError: x");
  }
}

}  // namespace
}  // namespace jinja
