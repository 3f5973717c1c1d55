#include "simulator/tool_request.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"

namespace inferbench::simulator {
namespace {

using testing::HasSubstr;

struct body_of_tools {
  demanded_call found;
  std::optional<refusal> no;
};

body_of_tools read_tools(const std::string& text, tool_layout layout = tool_layout::chat) {
  const rapidjson::Document document = base::parse_json(text, "body");
  body_reader members(document);
  body_of_tools out;
  out.found = read_call(members, layout);
  out.no = members.result();
  return out;
}

/// The name and the arguments of the call, "none", or the member at fault.
std::string shown(const std::string& text, tool_layout layout = tool_layout::chat) {
  const body_of_tools all = read_tools(text, layout);
  if (all.no) return "refused: " + all.no->param;
  if (all.found.name.empty()) return "none";
  return all.found.name + all.found.arguments.value_or(" unsupported");
}

std::string in_chat(const std::string& functions, const std::string& more = {}) {
  return R"({"tools": [{"type": "function", "function": )" + functions + "}]" + more + "}";
}

constexpr const char* two = R"({"tools": [
  {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties":
    {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}}},
  {"type": "function", "function": {"name": "now"}}])";

TEST(a_tool_request, calls_the_first_tool_with_arguments_that_fit) {
  EXPECT_EQ(shown(std::string(two) + "}"), R"(weather{"city":"tide"})");
  EXPECT_EQ(shown(std::string(two) + R"(, "tool_choice": "auto"})"), R"(weather{"city":"tide"})");
  EXPECT_EQ(shown(std::string(two) + R"(, "tool_choice": "required"})"),
            R"(weather{"city":"tide"})");
  EXPECT_EQ(shown(std::string(two) + R"(, "tool_choice": null})"), R"(weather{"city":"tide"})");
}

TEST(a_tool_request, calls_the_tool_that_the_choice_names) {
  EXPECT_EQ(shown(std::string(two) +
                  R"(, "tool_choice": {"type": "function", "function": {"name": "now"}}})"),
            "now{}");
  constexpr const char* response = R"({"tools": [{"type": "web_search"},
    {"type": "function", "name": "a"}, {"type": "function", "name": "b", "parameters": null}])";
  EXPECT_EQ(shown(std::string(response) + "}", tool_layout::response), "a{}");
  EXPECT_EQ(shown(std::string(response) + R"(, "tool_choice": {"type": "function", "name": "b"}})",
                  tool_layout::response),
            "b{}");
  // This server has no hosted tools.
  EXPECT_EQ(shown(std::string(response) + R"(, "tool_choice": {"type": "web_search"}})",
                  tool_layout::response),
            "none");
  EXPECT_EQ(shown(R"({"tools": [{"type": "web_search"}]})", tool_layout::response), "none");
}

TEST(a_tool_request, calls_nothing_without_tools_or_if_the_choice_says_so) {
  EXPECT_EQ(shown(std::string(two) + R"(, "tool_choice": "none"})"), "none");
  for (const char* const text :
       {"{}", R"({"tools": null})", R"({"tools": []})", R"({"tool_choice": 5})",
        R"({"tools": [], "tool_choice": {"type": "function", "function": {"name": "f"}}})"})
    EXPECT_EQ(shown(text), "none") << text;
}

TEST(a_tool_request, knows_a_name_that_no_tool_has_and_arguments_that_the_schema_refuses) {
  const demanded_call found = read_tools(R"({"tools": [
    {"function": {"name": "no_such_tool", "parameters": {"type": "object",
                  "properties": {"a": {"type": "null"}}, "required": ["a"]}}},
    {"function": {"name": "no_such_tool_1"}}]})")
                                  .found;
  EXPECT_EQ(found.unknown_name, "no_such_tool_2");
  EXPECT_EQ(found.arguments, R"({"a":null})");
  EXPECT_EQ(found.refused, "{}");
  // Without a required member, it is not certain that an object is refused.
  EXPECT_EQ(read_tools(in_chat(R"({"name": "f", "parameters": {"type": "object"}})")).found.refused,
            std::nullopt);
}

TEST(a_tool_request, has_no_arguments_if_no_object_fits_or_the_schema_is_elsewhere) {
  for (const char* const schema :
       {R"({"$ref": "http://127.0.0.1:1/schema.json"})", R"({"$ref": "#/nowhere"})",
        R"({"$ref": "#"})", R"({"type": "string"})", R"({"type": "array"})",
        R"({"type": "object", "properties": {"a": false}, "required": ["a"]})",
        R"({"type": "object", "properties": {"a": {"type": "integer", "minimum": 5, "maximum": 1}},
            "required": ["a"]})",
        R"({"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}},
            "required": ["a"]})",
        R"({"type": "object", "required": ["a"]})", R"({"not": {}})"})
    EXPECT_EQ(shown(in_chat(std::string(R"({"name": "f", "parameters": )") + schema + "}")),
              "f unsupported")
        << schema;
  // A member that may be missing does not matter.
  EXPECT_EQ(shown(in_chat(R"({"name": "f", "parameters": {"type": "object", "properties":
              {"a": {"$ref": "http://127.0.0.1:1/"}, "b": {"type": "boolean"}}}})")),
            R"(f{"b":true})");
  EXPECT_EQ(shown(in_chat(R"({"name": "f", "parameters": {}})")), "f{}");
}

TEST(a_tool_request, with_members_of_wrong_types_is_refused) {
  EXPECT_EQ(shown(R"({"tools": {}})"), "refused: tools");
  EXPECT_EQ(shown(R"({"tools": "f"})"), "refused: tools");
  EXPECT_EQ(shown(R"({"tools": [5]})"), "refused: tools.0");
  EXPECT_EQ(shown(R"({"tools": [{"function": {"name": "f"}}, {}]})"), "refused: tools.1.function");
  EXPECT_EQ(shown(R"({"tools": [{"function": []}]})"), "refused: tools.0.function");
  EXPECT_EQ(shown(R"({"tools": [{"type": "x", "function": {"name": "f"}}]})"),
            "refused: tools.0.type");
  EXPECT_EQ(shown(in_chat("{}")), "refused: tools.0.function.name");
  EXPECT_EQ(shown(in_chat(R"({"name": ""})")), "refused: tools.0.function.name");
  EXPECT_EQ(shown(in_chat(R"({"name": 5})")), "refused: tools.0.function.name");
  EXPECT_EQ(shown(in_chat(R"({"name": "f", "parameters": [1]})")),
            "refused: tools.0.function.parameters");
  EXPECT_EQ(shown(R"({"tools": [{"type": "function"}]})", tool_layout::response),
            "refused: tools.0.name");
  // A refused tool counts even if no tool is called.
  EXPECT_EQ(shown(in_chat("{}", R"(, "tool_choice": "none")")), "refused: tools.0.function.name");
  for (const char* const choice :
       {"5", "[]", "\"always\"", "{}", R"({"type": "function", "function": {"name": "g"}})",
        R"({"type": "function", "function": 5})", R"({"type": "function", "name": "f"})"})
    EXPECT_EQ(shown(in_chat(R"({"name": "f"})", std::string(R"(, "tool_choice": )") + choice)),
              "refused: tool_choice")
        << choice;
  EXPECT_EQ(shown(in_chat(R"({"name": "f"})", R"(, "tool_choice": {"type": "x"})")),
            "refused: tool_choice.type");
}

TEST(a_tool_request, bears_many_tools) {
  std::string text = R"({"tools": [)";
  for (int i = 0; i < 20'000; ++i)
    text += R"({"function": {"name": "no_such_tool_)" + std::to_string(i) + "\"}},";
  text += R"({"function": {"name": "no_such_tool"}}]})";
  EXPECT_EQ(read_tools(text).found.unknown_name, "no_such_tool_20000");
}

}  // namespace
}  // namespace inferbench::simulator
