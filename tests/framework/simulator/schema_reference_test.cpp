#include "simulator/schema_reference.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

// The schema that the member `a` of `text` means; "none" if its reference leads nowhere.
std::string target(const std::string& text) {
  const rapidjson::Document root = base::parse_json(text, "test");
  const base::json_value* found = resolved_schema(root, root["a"]);
  return found == nullptr ? "none" : base::to_text(*found);
}

TEST(schema_reference, a_schema_without_a_reference_is_itself) {
  EXPECT_EQ(target(R"({"a": true})"), "true");
  EXPECT_EQ(target(R"({"a": {"type": "null"}})"), R"({"type": "null"})");
}

TEST(schema_reference, references_in_the_schema_are_followed) {
  EXPECT_EQ(target(R"({"a": {"$ref": "#/b"}, "b": {"$ref": "#/c/0"}, "c": [1]})"), "1");
  EXPECT_EQ(target(R"({"a": {"$ref": "#/x~1y%20z"}, "x/y z": 2})"), "2");
  EXPECT_EQ(target(R"({"a": {"$ref": "#"}})"), R"({"a": {"$ref": "#"}})");
}

TEST(schema_reference, circles_and_other_documents_lead_nowhere) {
  for (const char* text :
       {R"({"a": {"$ref": "#/a"}})", R"({"a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}})",
        R"({"a": {"$ref": "#/nothing"}})", R"({"a": {"$ref": "http://127.0.0.1:1/s.json"}})",
        R"({"a": {"$ref": "other.json#/b"}})", R"({"a": {"$ref": "file:///etc/passwd"}})",
        R"({"a": {"$ref": "#anchor"}})", R"({"a": {"$ref": 1}})", R"({"a": {"$ref": "#/%zz"}})"})
    EXPECT_EQ(target(text), "none") << text;
}

}  // namespace
}  // namespace inferbench::simulator
