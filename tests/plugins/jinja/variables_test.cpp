// Tests the variables of a template: their names, and values that are missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/jinja/rendering.hpp"

namespace jinja {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> variables_of(std::string_view source) {
  return compile(source, "t").variables();
}

TEST(jinja_variables, are_the_names_that_come_from_the_context) {
  EXPECT_THAT(variables_of("{{ a }}{{ b.c ~ a }}{% if d %}{{ e[0] }}{% endif %}"),
              ElementsAre("a", "b", "d", "e"));
  EXPECT_THAT(variables_of("{% for x in xs %}{{ x }}{{ loop.index }}{% endfor %}"),
              ElementsAre("xs"));
  EXPECT_THAT(variables_of("{% set s = namespace(t = 1) %}{{ s.t }}{{ range(3) }}"), IsEmpty());
  EXPECT_THAT(variables_of("text {{ 'a' | upper }}"), IsEmpty());
}

TEST(jinja_variables, writing_an_undefined_value_is_an_error_if_the_rendering_is_strict) {
  options strict = at_friday();
  strict.strict = true;
  const auto text = [&](std::string_view source) {
    return rendered(source, "{\"a\": [1]}", strict);
  };
  EXPECT_EQ(text("{{ missing }}"), "UndefinedError: 'missing' is undefined");
  EXPECT_EQ(text("{{ a[1] }}"), "UndefinedError: list object has no element 1");
  EXPECT_EQ(text("{{ 'x' ~ missing }}"), "UndefinedError: 'missing' is undefined");
  EXPECT_EQ(text("{{ 'x' if missing is defined else 'y' }}"), "y");
  EXPECT_EQ(text("{{ missing or 'y' }}{{ missing | default('z') }}"), "yz");
  EXPECT_EQ(rendered("{{ missing }}"), "");
}

}  // namespace
}  // namespace jinja
