#include "options/node.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/options/test_environment.hpp"

namespace inferbench::options {
namespace {

TEST(node, json_keeps_order_and_the_difference_of_whole_and_real_numbers) {
  const std::string text = R"({"b": 1, "a": 1.0, "c": [true, null, "x"], "n": {"k": -0.5}})";
  EXPECT_EQ(to_json(parse_json_node(text, "x")), text);
}

TEST(node, of_a_repeated_json_member_the_last_counts) {
  EXPECT_EQ(to_json(parse_json_node(R"({"a": 1, "b": 2, "a": 3})", "x")), R"({"a": 3, "b": 2})");
}

TEST(node, malformed_json_is_reported_with_its_place) {
  EXPECT_THAT(complaint_of([] { (void)parse_json_node("{\"a\":}", "--extra-body"); }),
              testing::StartsWith("--extra-body:1:6: malformed JSON"));
}

TEST(node, json_beyond_all_depth_is_refused_and_no_crash) {
  const std::string text = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(complaint_of([&] { (void)parse_json_node(text, "x"); }),
            "x: JSON is nested more than 200 levels deep; make it flatter");
}

TEST(node, infinity_is_not_json) {
  EXPECT_EQ(complaint_of([] { (void)to_json(node::of(std::numeric_limits<double>::infinity())); }),
            "JSON has no inf; write a finite number or a text");
}

TEST(node, toml_is_written_on_one_line) {
  node table =
      parse_json_node(R"({"a": 1, "b c": [1.5, "x\n\"\u0001é"], "d": {}, "e": {"f": true}})", "x");
  EXPECT_EQ(to_toml(table),
            "{ a = 1, \"b c\" = [1.5, \"x\\n\\\"\\u0001\xC3\xA9\"], d = {}, e = { f = true } }");
}

TEST(node, a_value_that_toml_does_not_have_becomes_a_text_of_json) {
  EXPECT_EQ(to_toml(parse_json_node(R"({"stop": null})", "x")), R"("{\"stop\": null}")");
  EXPECT_EQ(to_toml(parse_json_node("18446744073709551615", "x")), "\"18446744073709551615\"");
}

TEST(node, tables_merge_lists_join_and_the_rest_is_replaced) {
  node below = parse_json_node(R"({"a": {"x": 1, "y": 2}, "l": [1], "s": 1})", "x");
  merge(below, parse_json_node(R"({"a": {"y": 3, "z": 4}, "l": [2], "s": "t", "n": 5})", "x"));
  EXPECT_EQ(to_json(below), R"({"a": {"x": 1, "y": 3, "z": 4}, "l": [1, 2], "s": "t", "n": 5})");
}

TEST(node, only_a_whole_text_names_a_variable) {
  EXPECT_EQ(variable_in("${HOME}"), "HOME");
  for (const char* text :
       {"$HOME", "${}", "${1A}", "a${HOME}", "${HOME}b", "${A B}", "$${HOME}", "{HOME}", "$", ""})
    EXPECT_EQ(variable_in(text), "") << text;
}

TEST(node, an_escaped_reference_is_the_text_itself) {
  for (const char* text : {"${HOME}", "$${HOME}", "plain", "$HOME", ""}) {
    EXPECT_EQ(variable_in(escape_variable(text)), "") << text;
    EXPECT_EQ(unescape_variable(escape_variable(text)), text);
  }
}

}  // namespace
}  // namespace inferbench::options
