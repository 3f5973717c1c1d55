#include "simulator/structured_request.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"

namespace inferbench::simulator {
namespace {

struct read_body {
  demanded_structure found;
  std::optional<refusal> no;
};

read_body read(const std::string& text) {
  const rapidjson::Document document = base::parse_json(text, "body");
  body_reader members(document);
  read_body out;
  out.found = read_structure(members);
  out.no = members.result();
  return out;
}

std::string right_of(const std::string& text) {
  const read_body all = read(text);
  if (all.no) return all.no->message;
  return all.found.right.value_or("unsupported");
}

TEST(structured_request, a_body_without_a_structure_demands_none) {
  for (const char* text : {"{}", R"({"structured_outputs": null})", R"({"structured_outputs": {}})",
                           R"({"guided_json": null, "response_format": {"type": "text"}})"}) {
    const read_body all = read(text);
    EXPECT_FALSE(all.no) << text;
    EXPECT_EQ(all.found.kind, structure_kind::none) << text;
  }
}

TEST(structured_request, every_form_of_a_structure_is_read) {
  constexpr const char* schema = R"({"type": "integer", "minimum": 4})";
  EXPECT_EQ(right_of(std::string(R"({"structured_outputs": {"json": )") + schema + "}}"), "4");
  EXPECT_EQ(right_of(std::string(R"({"guided_json": )") + schema + "}"), "4");
  EXPECT_EQ(right_of(R"({"structured_outputs": {"json": "{\"type\": \"null\"}"}})"), "null");
  EXPECT_EQ(right_of(std::string(R"({"response_format": {"type": "json_schema", "json_schema":
                                     {"name": "n", "schema": )") +
                     schema + "}}}"),
            "4");
  EXPECT_EQ(right_of(R"({"response_format": {"type": "json_object"}})"), "{}");
  EXPECT_EQ(right_of(R"({"structured_outputs": {"regex": "[ab]c"}})"), "ac");
  EXPECT_EQ(right_of(R"({"guided_regex": "[ab]c"})"), "ac");
  EXPECT_EQ(right_of(R"({"structured_outputs": {"choice": ["Positive", "Negative"]}})"),
            "Positive");
  EXPECT_EQ(right_of(R"({"guided_choice": ["x"]})"), "x");
  EXPECT_EQ(read(R"({"structured_outputs": {"grammar": "root ::= \"a\""}})").found.kind,
            structure_kind::grammar);
  EXPECT_EQ(right_of(R"({"guided_grammar": "root ::= \"a\""})"), "unsupported");
}

TEST(structured_request, members_of_wrong_types_are_refused) {
  EXPECT_EQ(right_of(R"({"structured_outputs": []})"), "structured_outputs must be an object.");
  EXPECT_EQ(right_of(R"({"structured_outputs": {"json": 1}})"),
            "structured_outputs.json must be a JSON schema.");
  EXPECT_EQ(right_of(R"({"structured_outputs": {"json": "{"}})"),
            "structured_outputs.json is a text that is no JSON.");
  EXPECT_EQ(right_of(R"({"guided_regex": ["a"]})"), "guided_regex must be a text.");
  EXPECT_EQ(right_of(R"({"guided_grammar": 5})"), "guided_grammar must be a text.");
  for (const char* choices : {"[]", "[1]", "\"a\""})
    EXPECT_EQ(right_of(std::string(R"({"structured_outputs": {"choice": )") + choices + "}}"),
              "structured_outputs.choice must be a list of at least one text.");
  EXPECT_EQ(right_of(R"({"response_format": "json"})"), "response_format must be an object.");
  EXPECT_EQ(right_of(R"({"response_format": {"type": "json_schema"}})"),
            "response_format.json_schema.schema is missing.");
  EXPECT_EQ(right_of(R"({"structured_outputs": {"regex": "a", "choice": ["a"]}})"),
            "Only one structure a request is possible.");
  EXPECT_EQ(right_of(R"({"guided_regex": "a", "structured_outputs": {"choice": ["a"]}})"),
            "Only one structure a request is possible.");
}

TEST(structured_request, wrong_answers_have_neither_json_nor_a_pair_of_braces) {
  const auto cut_of = [](const std::string& schema) {
    return read(R"({"guided_json": )" + schema + "}").found.cut.value_or("");
  };
  EXPECT_EQ(cut_of(R"({"type": "array", "items": {"type": "object", "properties":
                       {"a": {"type": "string"}}}})"),
            R"([{"a":"tide")");
  EXPECT_EQ(cut_of(R"({"type": "object", "properties": {"a": {"const": "}"}}})"), R"({"a":")");
  EXPECT_EQ(cut_of(R"({"type": "array", "items": {"type": "integer"}})"), "[1");
  EXPECT_EQ(cut_of(R"({"type": "string"})"), "\"tide");
  EXPECT_EQ(cut_of(R"({"type": "boolean"})"), "no true");
}

TEST(structured_request, a_wrong_choice_is_none_of_the_choices) {
  const auto found = read(R"({"guided_choice": ["neither", "neither nor that"]})").found;
  EXPECT_EQ(found.cut, "neither nor that nor that");
  EXPECT_EQ(found.refused, found.cut);
}

TEST(structured_request, the_share_of_wrong_answers_is_exact_after_every_answer) {
  for (const double share : {0.0, 0.1, 0.25, 1.0 / 3, 0.5, 0.7, 1.0}) {
    wrong_answers from(share);
    int wrong = 0;
    for (int n = 1; n <= 1000; ++n) {
      wrong += from.next() != wrong_answers::kind::right ? 1 : 0;
      ASSERT_EQ(wrong, static_cast<int>(n * share + 1e-9)) << share << " after " << n;
    }
  }
}

TEST(structured_request, wrong_answers_are_cut_and_refused_in_turn) {
  wrong_answers from(0.5);
  std::vector<wrong_answers::kind> all;
  for (int i = 0; i < 6; ++i)
    all.push_back(from.next());
  using enum wrong_answers::kind;
  EXPECT_THAT(all, testing::ElementsAre(right, cut, right, refused, right, cut));
}

}  // namespace
}  // namespace inferbench::simulator
