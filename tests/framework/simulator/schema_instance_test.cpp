#include "simulator/schema_instance.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

std::string accepted(const std::string& schema) {
  const auto found = samples_of_schema(base::parse_json(schema, "schema"));
  return found ? found->accepted : "unsupported";
}

constexpr const char* profiles = R"({"type": "array", "items": {"type": "object", "properties": {
  "name": {"type": "string"}, "race": {"type": "string"}, "level": {"type": "integer"}},
  "required": ["name", "race", "level"]}})";

TEST(schema_instance, an_array_of_objects_has_one_object_with_its_required_members) {
  const auto found = samples_of_schema(base::parse_json(profiles, "schema"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->accepted, R"([{"name":"tide","race":"boat","level":1}])");
  EXPECT_EQ(found->refused, "[{}]");
}

// libvalijson accepts the second value and refuses the third. "-": there is none.
struct schema_case {
  const char* schema;
  const char* accepted;
  const char* refused;
};
constexpr std::array schema_cases{
    schema_case{R"x(true)x", R"x({})x", R"x(-)x"},
    schema_case{R"x({})x", R"x({})x", R"x(-)x"},
    schema_case{R"x({"type": "object"})x", R"x({})x", R"x(null)x"},
    schema_case{R"x({"type": "string", "minLength": 30})x", R"x("tideboatsandlampwindgulloarnet")x",
                R"x(null)x"},
    schema_case{R"x({"type": "string", "maxLength": 2})x", R"x("ti")x", R"x(null)x"},
    schema_case{R"x({"type": "string", "maxLength": 0})x", R"x("")x", R"x(null)x"},
    schema_case{R"x({"type": "string", "pattern": "^[A-Z]{3}-\\d+$"})x", R"x("TID-1234")x",
                R"x(null)x"},
    schema_case{R"x({"type": "string", "format": "date"})x", R"x("2026-01-31")x", R"x(null)x"},
    schema_case{R"x({"type": ["null", "string"]})x", R"x(null)x", R"x(-)x"},
    schema_case{R"x({"type": ["string", "null"]})x", R"x("tide")x", R"x(-)x"},
    schema_case{R"x({"type": "boolean"})x", R"x(true)x", R"x(null)x"},
    schema_case{R"x({"type": "integer", "minimum": 5, "maximum": 7})x", R"x(5)x", R"x(null)x"},
    schema_case{R"x({"type": "integer", "maximum": -3})x", R"x(-3)x", R"x(null)x"},
    schema_case{R"x({"type": "integer", "exclusiveMinimum": 5})x", R"x(6)x", R"x(null)x"},
    schema_case{R"x({"type": "integer", "multipleOf": 7})x", R"x(7)x", R"x(null)x"},
    schema_case{R"x({"type": "integer", "minimum": 8, "multipleOf": 7})x", R"x(14)x", R"x(null)x"},
    schema_case{R"x({"type": "number", "exclusiveMinimum": 0.1, "exclusiveMaximum": 0.2})x",
                R"x(0.15000000000000002)x", R"x(null)x"},
    schema_case{R"x({"type": "number", "minimum": -0.5, "maximum": -0.25})x", R"x(-0.5)x",
                R"x(null)x"},
    schema_case{R"x({"minimum": 3})x", R"x(3)x", R"x(-)x"},
    schema_case{R"x({"enum": [1, "a", null]})x", R"x(1)x", R"x(-)x"},
    schema_case{R"x({"type": "string", "enum": [1, "a"]})x", R"x("a")x", R"x(null)x"},
    schema_case{R"x({"const": {"a": [1, 2]}})x", R"x({"a": [1, 2]})x", R"x(null)x"},
    schema_case{R"x({"type": "array", "minItems": 3})x", R"x(["tide","tide","tide"])x",
                R"x(null)x"},
    schema_case{R"x({"type": "array", "maxItems": 0})x", R"x([])x", R"x(null)x"},
    schema_case{R"x({"type": "array", "items": false})x", R"x([])x", R"x(null)x"},
    schema_case{R"x({"type": "array", "items": [{"type": "integer"}, {"type": "string"}]})x",
                R"x([1,"tide"])x", R"x(null)x"},
    schema_case{R"x({"anyOf": [{"type": "integer"}, {"type": "null"}]})x", R"x(1)x", R"x(-)x"},
    schema_case{R"x({"type": "string", "anyOf": [{"type": "integer"}, {"type": "string"}]})x",
                R"x("tide")x", R"x(null)x"},
    schema_case{R"x({"oneOf": [{"type": "string"}, {"type": "integer"}]})x", R"x("tide")x",
                R"x(null)x"},
    schema_case{R"x({"allOf": [{"type": "integer"}], "description": "d"})x", R"x(1)x", R"x(null)x"},
    schema_case{
        R"x({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}, "additionalProperties": false})x",
        R"x({"a":"tide","b":1})x", R"x(null)x"},
    schema_case{
        R"x({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}, "required": ["b"]})x",
        R"x({"b":1})x", R"x({})x"},
    schema_case{
        R"x({"$ref": "#/definitions/node", "definitions": {"node": {"type": "object", "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/definitions/node"}}, "required": ["value"]}}})x",
        R"x({"value":1})x", R"x({})x"},
    schema_case{
        R"x({"type": "object", "properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}})x",
        R"x({"next":{"next":{"next":{},"n":1},"n":1},"n":1})x", R"x(null)x"},
    schema_case{R"x({"properties": {"\"q\n": {"const": 1}}, "required": ["\"q\n"]})x",
                R"x({"\"q\n":1})x", R"x(-)x"},
};

TEST(schema_instance, each_keyword_is_satisfied) {
  for (const auto& [schema, accepted_value, refused_value] : schema_cases) {
    const auto found = samples_of_schema(base::parse_json(schema, "schema"));
    ASSERT_TRUE(found) << schema;
    EXPECT_EQ(found->accepted, accepted_value) << schema;
    EXPECT_EQ(found->refused.value_or("-"), refused_value) << schema;
  }
}

TEST(schema_instance, if_no_value_is_certainly_refused_there_is_none) {
  for (const char* text : {"true", "{}", R"({"type": ["null", "string"]})", R"({"minimum": 3})",
                           R"({"anyOf": [{"type": "integer"}, {"type": "null"}]})"}) {
    const auto found = samples_of_schema(base::parse_json(text, "schema"));
    ASSERT_TRUE(found) << text;
    EXPECT_FALSE(found->refused) << text;
  }
}

TEST(schema_instance, keywords_that_are_not_followed_make_the_schema_unsupported) {
  for (const char* text :
       {"false",
        R"({"not": {}})",
        R"({"type": "object", "minProperties": 1})",
        R"({"type": "string", "format": "colour"})",
        R"({"type": "string", "pattern": "\\bx"})",
        R"({"type": "string", "minLength": 4, "maxLength": 3})",
        R"({"type": "colour"})",
        R"({"type": "integer", "minimum": 5, "maximum": 4})",
        R"({"enum": []})",
        R"({"type": "string", "enum": [1]})",
        R"({"type": "object", "required": ["a"]})",
        R"({"type": "array", "minItems": 2, "uniqueItems": true})",
        R"({"type": "array", "minItems": 1, "items": false})",
        R"({"type": "array", "minItems": 3, "maxItems": 2})",
        R"({"oneOf": [{"type": "number"}, {"type": "integer"}]})",
        R"({"allOf": [{"type": "string"}, {"minLength": 3}]})",
        R"({"anyOf": [{"type": "string"}], "minLength": 100})",
        R"({"$ref": "#/$defs/a", "minLength": 100, "$defs": {"a": {"type": "string"}}})",
        R"({"$ref": "https://example.com/schema.json"})",
        R"({"enum": [1], "minimum": 2})"})
    EXPECT_EQ(accepted(text), "unsupported") << text;
}

TEST(schema_instance, hostile_schemas_end_soon) {
  EXPECT_EQ(accepted(R"({"type": "string", "minLength": 1000000000})"), "unsupported");
  EXPECT_EQ(accepted(R"({"type": "array", "minItems": 60000})"), "unsupported");
  EXPECT_EQ(accepted(R"({"type": "object", "properties": {"a": {"$ref": "#"}},
                         "required": ["a"]})"),
            "unsupported");
  // Each level has two elements of the next level.
  std::string doubled = R"({"type": "integer"})";
  for (int i = 0; i < 14; ++i)
    doubled = R"({"type": "array", "minItems": 2, "items": )" + doubled + "}";
  EXPECT_EQ(accepted(doubled), "unsupported");
  std::string deep = "1";
  for (int i = 0; i < 100; ++i)
    deep = "[" + deep + "]";
  EXPECT_EQ(accepted(R"({"const": )" + deep + "}"), "unsupported");
}

}  // namespace
}  // namespace inferbench::simulator
