// Schemas and answers that are wrong, hostile or unusual. schema_suite_test.cpp has the usual ones.
#include "scorers/common/schema.hpp"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/scorers/scored_record.hpp"
#include "scorers/common/prepared_schema.hpp"

namespace scorers {
namespace {

using testing::HasSubstr;

std::string checked(const schema& by, std::string_view answer) {
  if (!by.usable()) return "unusable: " + by.problem();
  json_tree tree;
  EXPECT_EQ(tree.read(answer), tree_outcome::read) << answer;
  switch (by.check(tree)) {
    case schema_verdict::valid: return "valid";
    case schema_verdict::invalid: return "invalid";
    case schema_verdict::unknown: return "unknown";
  }
  return {};
}
std::string checked(std::string_view text, std::string_view answer,
                    type_names names = type_names::json_schema) {
  return checked(schema(text, names), answer);
}

constexpr std::string_view person =
    R"({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"], "additionalProperties": false})";

TEST(a_schema, is_an_object_or_a_text_that_contains_one) {
  EXPECT_EQ(checked(person, R"({"name": "Ann", "age": 30})"), "valid");
  EXPECT_EQ(checked(person, R"({"age": 30.0, "name": "Ann"})"), "valid");
  EXPECT_EQ(checked(person, "{}"), "invalid");
  EXPECT_EQ(checked(person, R"({"name": "Ann", "age": "30"})"), "invalid");
  EXPECT_EQ(checked(person, R"({"name": "Ann", "age": 30, "more": 1})"), "invalid");
  EXPECT_EQ(checked(person, R"({"name": 1, "age": 30, "name": "Ann"})"), "valid");
  EXPECT_EQ(checked(R"("{\"type\": \"array\"}")", "[]"), "valid");
  EXPECT_EQ(checked(R"("{\"type\": \"array\"}")", "{}"), "invalid");
  EXPECT_EQ(checked("true", "7"), "valid");
  EXPECT_EQ(checked("false", "7"), "invalid");
}

TEST(a_schema, that_is_none_is_unusable) {
  for (const char* const text : {"",
                                 "{",
                                 "7",
                                 "[]",
                                 "null",
                                 R"("no")",
                                 R"("\"true\"")",
                                 R"({"type": "strin"})",
                                 R"({"type": 5})",
                                 R"({"properties": 5})",
                                 R"({"properties": {"a": 5}})",
                                 R"({"allOf": {}})",
                                 R"({"required": true})",
                                 R"({"enum": 5})",
                                 R"({"items": 5})",
                                 R"({"minLength": -1})",
                                 R"({"maxItems": "5"})",
                                 R"({"maximum": "5"})",
                                 R"({"exclusiveMinimum": "5"})",
                                 R"({"multipleOf": 0})",
                                 R"({"multipleOf": -2})",
                                 R"({"uniqueItems": "yes"})",
                                 R"({"pattern": 5})",
                                 R"({"dependencies": {"a": 5}})",
                                 R"({"dependencies": {"a": [5]}})",
                                 R"({"required": [5]})",
                                 R"({"not": 5})"})
    EXPECT_THAT(checked(text, "{}"), HasSubstr("unusable: ")) << text;
}

TEST(a_schema, does_not_refer_to_other_documents) {
  EXPECT_EQ(checked(R"({"$ref": "http://127.0.0.1:1/x.json"})", "1"),
            "unusable: it refers to another document, http://127.0.0.1:1/x.json");
  EXPECT_THAT(checked(R"({"properties": {"a": {"$ref": "other.json#/a"}}})", "{}"),
              HasSubstr("another document, other.json#/a"));
  EXPECT_THAT(checked(R"({"$ref": "file:///etc/passwd"})", "1"), HasSubstr("another document"));
  EXPECT_THAT(checked("{\"$ref\": \"a\\u0000\\nb" + repeated("x", 1000) + "\"}", "1"),
              testing::AllOf(HasSubstr("another document"), testing::Not(HasSubstr("\n"))));
  // A reference that nothing uses does no harm.
  EXPECT_EQ(checked(R"({"definitions": {"a": {"$ref": "http://x/y"}}})", "1"), "valid");
  EXPECT_EQ(checked(R"({"enum": [{"$ref": "http://x/y"}]})", R"({"$ref": "http://x/y"})"), "valid");
}

TEST(a_schema, may_refer_to_parts_of_itself) {
  EXPECT_EQ(checked(R"({"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": {"type": "null"}}})", "null"),
            "valid");
  EXPECT_EQ(checked(R"({"$id": "http://x/y", "items": {"$ref": "http://x/y#/definitions/a"},
                        "definitions": {"a": {"type": "null"}}})",
                    "[1]"),
            "invalid");
  EXPECT_EQ(checked(R"({"items": [{"type": "null"}, {"$ref": "#/items/0"}]})", "[null, 1]"),
            "invalid");
  const std::string_view tree =
      R"({"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}},
          "additionalProperties": false})";
  EXPECT_EQ(checked(tree, R"({"left": {"right": {}}, "right": {}})"), "valid");
  EXPECT_EQ(checked(tree, R"({"left": {"right": {"x": 1}}})"), "invalid");
  EXPECT_THAT(checked(R"({"$ref": "#/definitions/a"})", "1"), HasSubstr("does not have"));
  EXPECT_THAT(checked(R"({"items": [{}], "not": {"$ref": "#/items/1"}})", "1"),
              HasSubstr("does not have"));
  EXPECT_THAT(checked(R"({"$ref": "#name"})", "1"), HasSubstr("does not have"));
}

TEST(a_schema, that_goes_round_in_a_circle_is_unusable) {
  EXPECT_THAT(checked(R"({"$ref": "#"})", "1"), HasSubstr("circle"));
  EXPECT_THAT(checked(R"({"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}})", "1"),
              HasSubstr("circle"));
  EXPECT_THAT(checked(R"({"allOf": [{"$ref": "#"}]})", "1"), HasSubstr("without end"));
  EXPECT_THAT(checked(R"({"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}]}}})", "{}"),
              HasSubstr("without end"));
  EXPECT_THAT(checked(R"({"not": {"if": {"$ref": "#/not"}}})", "1"), HasSubstr("without end"));
}

TEST(a_schema, that_grows_exponentially_is_unusable) {
  std::string text = R"({"$ref": "#/d/0", "d": {)";
  for (int i = 0; i < 60; ++i) {
    const std::string next = R"({"$ref": "#/d/)" + std::to_string(i + 1) + "\"}";
    text += "\"" + std::to_string(i) + R"(": {"allOf": [)" + next + ", " + next + "]}, ";
  }
  EXPECT_THAT(checked(text + R"("60": {}}})", "1"), HasSubstr("too many parts"));
  EXPECT_THAT(checked(R"({"enum": [)" + repeated("1,", 300'000) + "1]}", "1"),
              HasSubstr("too large"));
}

TEST(a_schema, that_is_nested_deeply_is_refused_or_used_but_does_not_overflow_the_stack) {
  const auto chain = [](int links) {
    std::string out = R"({"$ref": "#/d/0", "d": {)";
    for (int i = 0; i < links; ++i)
      out += "\"" + std::to_string(i) + R"(": {"properties": {"a": {"$ref": "#/d/)" +
             std::to_string(i + 1) + "\"}}}, ";
    return out + "\"" + std::to_string(links) + R"(": false}})";
  };
  EXPECT_THAT(checked(chain(5000), "1"), HasSubstr("nested too deeply"));
  EXPECT_EQ(checked(chain(199), repeated("{\"a\":", 199) + "1" + repeated("}", 199)), "invalid");
  EXPECT_EQ(checked(chain(199), repeated("{\"a\":", 198) + "1" + repeated("}", 198)), "valid");
  const auto nested = [](std::string_view open, std::string_view close, std::size_t depth) {
    return repeated(open, depth) + "{}" + repeated(close, depth);
  };
  EXPECT_EQ(checked(nested(R"({"not":)", "}", 151), "1"), "invalid");
  EXPECT_EQ(checked(nested(R"({"items":)", "}", 190), nested("[", "]", 150)), "valid");
  EXPECT_THAT(checked(nested(R"({"not":)", "}", 300), "1"), HasSubstr("no JSON"));
}

TEST(a_check, that_takes_long_is_given_up) {
  // Each level of the answer is visited twice by each visit of the level above.
  const std::string_view twice =
      R"({"anyOf": [{"properties": {"a": {"$ref": "#"}}, "required": ["no"]},
                    {"properties": {"a": {"$ref": "#"}}, "required": ["no"]}]})";
  EXPECT_EQ(checked(twice, repeated("{\"a\":", 20) + "{}" + repeated("}", 20)), "unknown");
  EXPECT_EQ(checked(twice, R"({"a": {}})"), "invalid");
  const std::string many = "[" + repeated("1,", 30'000) + "2]";
  EXPECT_EQ(checked(R"({"uniqueItems": true})", many), "unknown");
  EXPECT_EQ(checked(R"({"uniqueItems": true})", "[1, 2, 1.0]"), "invalid");
  EXPECT_EQ(checked(R"({"items": {"type": "integer"}})", many), "valid");
  const std::string loop = repeated(R"({"allOf": [)", 90) + "{}" + repeated("]}", 90);
  EXPECT_EQ(checked(R"({"items": )" + loop + "}", repeated("[", 100) + repeated("]", 100)),
            "unknown");
  const std::string stack =
      repeated(R"({"allOf": [)", 18) + R"({"items": {"$ref": "#"}})" + repeated("]}", 18);
  EXPECT_EQ(checked(stack, repeated("[", 99) + repeated("]", 99)), "valid");
}

TEST(a_pattern_in_a_schema, takes_linear_time) {
  const std::string text = "\"" + repeated("a", 200'000) + "!\"";
  EXPECT_EQ(checked(R"({"pattern": "^(a+)+$"})", text), "invalid");
  EXPECT_EQ(checked(R"({"pattern": "^(a|b)*!$"})", text), "valid");
  EXPECT_EQ(checked(R"({"patternProperties": {"^(a+)+$": false}})", "{" + text + ": 1}"), "valid");
  EXPECT_EQ(checked(R"({"patternProperties": {"^(a+)+!$": false}})", "{" + text + ": 1}"),
            "invalid");
  EXPECT_THAT(checked(R"x({"pattern": "(?=a)"})x", "\"a\""), HasSubstr("RE2 cannot use"));
  EXPECT_THAT(checked(R"({"patternProperties": {"\\1": {}}})", "1"), HasSubstr("RE2 cannot use"));
  EXPECT_EQ(checked(R"({"pattern": "^\\u00e9$"})", "\"\xC3\xA9\""), "valid");
}

TEST(a_schema, checks_what_the_test_suite_does_not_ask_for) {
  EXPECT_EQ(checked(R"({"multipleOf": 2})", "4.5"), "invalid");
  EXPECT_EQ(checked(R"({"multipleOf": 2})", "4.0"), "valid");
  EXPECT_EQ(checked(R"({"definitions": {"n": {"propertyNames": {"maxLength": 1}}},
                        "$ref": "#/definitions/n"})",
                    R"({"ab": 1})"),
            "invalid");
  EXPECT_EQ(
      checked(R"({"prefixItems": [{"type": "string"}], "items": {"type": "null"}})", R"(["a", 1])"),
      "invalid");
  EXPECT_EQ(checked(R"({"prefixItems": [{"type": "string"}]})", R"(["a", 1])"), "valid");
  EXPECT_EQ(checked(R"({"format": "date", "title": 5, "description": 5})", "7"), "valid");
  EXPECT_EQ(checked(R"({"properties": {"a/b": {"type": "null"}, "a": {"properties": {"b": {}}}}})",
                    R"({"a/b": 1})"),
            "invalid");
  EXPECT_EQ(checked(R"({"maximum": 18446744073709551615})", "18446744073709551615"), "valid");
  EXPECT_EQ(checked(R"({"maximum": 5})", "18446744073709551615"), "invalid");
  EXPECT_EQ(checked(R"({"then": {"type": "null"}})", "1"), "valid");
}

TEST(a_schema_of_a_tool, may_have_names_of_types_of_Python) {
  const auto tool = [](std::string_view text, std::string_view answer) {
    return checked(text, answer, type_names::of_tools);
  };
  const std::string_view all =
      R"({"type": "dict", "properties": {"f": {"type": "float"}, "t": {"type": "tuple"},
          "l": {"type": "list", "items": {"type": "float"}}, "a": {"type": "any"},
          "h": {"type": "HashMap"}, "s": {"type": ["string", "any"]}, "r": {"required": true}}})";
  EXPECT_EQ(tool(all, R"({"f": 1.5, "t": [1], "l": [1, 2.5], "a": 7, "h": 7, "s": 7})"), "valid");
  EXPECT_EQ(tool(all, R"({"f": "1.5"})"), "invalid");
  EXPECT_EQ(tool(all, R"({"t": {}})"), "invalid");
  EXPECT_EQ(tool(all, R"({"l": ["x"]})"), "invalid");
  EXPECT_EQ(tool(all, "[]"), "invalid");
  EXPECT_THAT(checked(R"({"type": "dict"})", "{}"), HasSubstr("unusable: its keyword type"));
}

}  // namespace
}  // namespace scorers
