#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/json_reader.hpp>

#include "datasets/structured-output/json_schema.hpp"
#include "datasets/structured-output/unique_name.hpp"
#include "datasets/structured-output/xgrammar_features.hpp"
#include "plugins/datasets/data_file.hpp"

namespace {

using structured::has_unsupported_features;
using structured::json_schema;
using structured::xgrammar_rules;

std::string schema_with_property(const std::string& schema) {
  const support::data_file file(schema);
  return json_schema::of_file(file.path()).with_property("x");
}

TEST(json_schema, a_property_is_added_behind_the_others) {
  const std::string more =
      R"("x": {"type": "string", "description": "Makes this schema differ from all others."})";
  EXPECT_EQ(schema_with_property("{}"), R"({"properties": {)" + more + "}}");
  EXPECT_EQ(schema_with_property(R"({"type": "object"})"),
            R"({"type": "object", "properties": {)" + more + "}}");
  EXPECT_EQ(schema_with_property(R"({"properties": {}})"), R"({"properties": {)" + more + "}}");
  EXPECT_EQ(schema_with_property(R"({"a": 1, "properties": {"\u00e9": true}, "b": [2]})"),
            R"({"a": 1, "properties": {"\u00e9": true, )" + more + R"(}, "b": [2]})");
}

TEST(json_schema, the_bundled_schema_demands_all_fields_of_a_character) {
  const ifb::json_document schema = ifb::read_json(json_schema::bundled().text());
  EXPECT_EQ(ifb::text_of(ifb::find(schema, "type")), "array");
  std::set<std::string> types;
  for (const auto& each : ifb::find_path(schema, "items.properties")->GetObject())
    types.insert(std::string(ifb::text_of(&each.name)) + " " +
                 std::string(ifb::text_of(ifb::find(each.value, "type"))));
  EXPECT_THAT(
      types, ::testing::ElementsAre("alignment string", "background string", "backstory string",
                                    "class string", "level integer", "name string", "race string"));
  EXPECT_EQ(ifb::find_path(schema, "items.required")->Size(), 7U);
}

TEST(unique_name, ends_with_a_uuid_of_version_4) {
  std::set<std::string> names;
  for (std::uint64_t row = 0; row < 100; ++row)
    names.insert(structured::unique_name(3, row));
  EXPECT_EQ(names.size(), 100U);
  EXPECT_THAT(names, ::testing::Each(::testing::MatchesRegex(
                         "__optional_field_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                         "[0-9a-f]{12}")));
  EXPECT_EQ(structured::unique_name(3, 9), structured::unique_name(3, 9));
  EXPECT_NE(structured::unique_name(3, 9), structured::unique_name(4, 9));
}

bool is_unsupported_schema(const std::string& schema, xgrammar_rules rules) {
  return has_unsupported_features(ifb::read_json(schema), rules);
}

struct feature_verdict {
  const char* schema;
  bool older;
  bool newest;
};

constexpr feature_verdict feature_verdicts[] = {
    {"true", false, false},
    {"{}", false, false},
    {R"({"type": "integer", "minimum": 1, "maximum": 9, "exclusiveMinimum": 0})", false, false},
    {R"({"type": "integer", "multipleOf": 2})", true, true},
    {R"({"type": "number", "multipleOf": 2})", true, true},
    {R"({"type": ["null", "number"], "multipleOf": 2})", false, true},
    {R"({"multipleOf": 2})", false, false},
    {R"({"type": "string", "multipleOf": 2})", false, false},
    {R"({"type": "array", "minItems": 1, "maxItems": 2})", false, false},
    {R"({"type": "array", "uniqueItems": false})", true, true},
    {R"({"type": "array", "contains": {}})", true, true},
    {R"({"type": "array", "minContains": 1})", true, true},
    {R"({"type": "array", "maxContains": 1})", true, true},
    {R"({"type": "string", "enum": ["a"], "minLength": 1, "maxLength": 2})", false, false},
    {R"({"type": "string", "pattern": "a"})", false, false},
    {R"({"type": "string", "pattern": "a", "maxLength": 2})", false, true},
    {R"({"type": "string", "format": "date", "minLength": 2})", false, true},
    {R"({"type": "string", "format": "relative-json-pointer"})", false, false},
    {R"({"type": "string", "format": "regex"})", true, true},
    {R"({"type": "string", "format": ["date"]})", true, true},
    {R"({"type": "object", "minProperties": 1})", true, false},
    {R"({"type": "object", "maxProperties": 1})", true, false},
    {R"({"type": "object", "patternProperties": {"a": {}}})", true, false},
    {R"({"type": "object", "patternProperties": {"a": {}, "b": {}}})", true, true},
    {R"({"type": "object", "patternProperties": {"a": {}}, "properties": {}})", true, true},
    {R"({"type": "object", "propertyNames": {"pattern": "a"}})", true, false},
    {R"({"type": "object", "propertyNames": {"pattern": "a", "minLength": 1}})", true, true},
    {R"({"type": "object", "propertyNames": {}, "properties": {}})", true, true},
    {R"({"type": "object", "propertyNames": {}, "patternProperties": {}})", true, true},
    {R"({"type": "object", "propertyNames": {}, "additionalProperties": {}})", true, true},
    {R"({"type": "object", "propertyNames": {}, "additionalProperties": false})", true, false},
    {R"({"type": "object", "propertyNames": {}, "unevaluatedProperties": false})", true, true},
    {R"({"type": "object", "propertyNames": {}, "unevaluatedProperties": true})", true, false},
    {R"({"properties": {"a": {"items": {"type": "array", "contains": {}}}}})", true, true},
    {R"({"anyOf": [{}, {"type": "integer", "multipleOf": 2}]})", true, true},
    {R"({"x": [[{"type": "integer", "multipleOf": 2}]]})", false, false},
    // No schema, but vLLM treats it as one.
    {R"({"default": {"type": "integer", "multipleOf": 2}})", true, true},
};

TEST(xgrammar_features, are_those_of_the_version_of_vllm) {
  for (const feature_verdict& each : feature_verdicts) {
    EXPECT_EQ(is_unsupported_schema(each.schema, xgrammar_rules::older), each.older) << each.schema;
    EXPECT_EQ(is_unsupported_schema(each.schema, xgrammar_rules::newest), each.newest)
        << each.schema;
  }
}

TEST(xgrammar_features, are_found_at_any_depth) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i)
    deep += R"({"not": )";
  deep += R"({"type": "array", "uniqueItems": true})" + std::string(100'000, '}');
  EXPECT_TRUE(is_unsupported_schema(deep, xgrammar_rules::newest));
}

}  // namespace
