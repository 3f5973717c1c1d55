#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/hf/row_template.hpp"

namespace hf {
namespace {

using ::testing::ElementsAre;

std::string rendered(const row_template& of, const char* context) {
  rapidjson::Document document;
  document.Parse(context);
  try {
    return of.render(document);
  } catch (const jinja::error& e) {
    return e.type() + ": " + e.message();
  }
}

TEST(hf_row_template, the_text_is_kept_as_it_is_written) {
  EXPECT_EQ(rendered(row_template("a\n"), "{}"), "a\n");
  EXPECT_EQ(rendered(row_template("a\n\n"), "{}"), "a\n\n");
  EXPECT_EQ(rendered(row_template("{{ x }}\n"), R"({"x": "1\n"})"), "1\n\n");
  EXPECT_EQ(rendered(row_template(""), "{}"), "");
}

TEST(hf_row_template, texts_of_a_row_are_not_templates) {
  EXPECT_EQ(rendered(row_template("{{ x }}"), R"({"x": "{{ y }}{% if %}"})"), "{{ y }}{% if %}");
}

TEST(hf_row_template, a_value_that_is_not_there_is_an_error) {
  const row_template first("{{ turns[0] }}");
  EXPECT_THAT(first.variables(), ElementsAre("turns"));
  EXPECT_EQ(rendered(first, R"({"turns": ["a"]})"), "a");
  EXPECT_EQ(rendered(first, R"({"turns": []})"), "UndefinedError: list object has no element 0");
  EXPECT_EQ(rendered(first, "{}"), "UndefinedError: 'turns' is undefined");
}

TEST(hf_row_template, a_condition_is_empty_if_it_is_false) {
  const auto holds = row_template::of_condition("0 <= x <= 1 and s == 'a'");
  EXPECT_THAT(holds.variables(), ElementsAre("x", "s"));
  EXPECT_EQ(rendered(holds, R"({"x": 1.0, "s": "a"})"), "true");
  EXPECT_EQ(rendered(holds, R"({"x": 1.01, "s": "a"})"), "");
  EXPECT_EQ(rendered(holds, R"({"x": null, "s": "a"})").substr(0, 10), "TypeError:");
}

}  // namespace
}  // namespace hf
