#include "simulator/body_reader.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

class body : public testing::Test {
 protected:
  /// Reads `json`, calls `read(reader)` and returns the message of the refusal.
  template <typename function>
  std::string after(const std::string& json, function read) {
    EXPECT_FALSE(parse_body(json, document_));
    body_reader reader(document_);
    read(reader);
    const auto no = reader.result();
    return no ? no->message : "accepted";
  }

  rapidjson::Document document_;
};

TEST_F(body, a_member_has_the_type_that_it_must_have) {
  const auto check = [&](const std::string& json) {
    return after(json, [](body_reader& reader) {
      bool flag = false;
      std::string text;
      std::optional<std::uint64_t> count;
      std::optional<std::int64_t> integer;
      std::string_view word;
      reader.flag("flag", flag);
      reader.text("text", text);
      reader.count("count", 2, count);
      reader.integer("integer", -1, integer);
      reader.choice("word", {"one", "two", "three"}, word);
      reader.number("number", -2, 2);
      reader.object("object");
      reader.list("list");
    });
  };
  EXPECT_EQ(check("{}"), "accepted");
  EXPECT_EQ(check(R"({"flag":null,"text":null,"count":null,"word":null,"list":null})"), "accepted");
  EXPECT_EQ(check(R"({"flag":true,"text":"a","count":2,"integer":-1,"word":"two","number":-2.0,
                      "object":{},"list":[]})"),
            "accepted");
  EXPECT_EQ(check(R"({"flag":1})"), "flag must be true or false.");
  EXPECT_EQ(check(R"({"text":1})"), "text must be a text.");
  EXPECT_EQ(check(R"({"count":1})"), "count must be a whole number of at least 2.");
  EXPECT_EQ(check(R"({"count":2.5})"), "count must be a whole number of at least 2.");
  EXPECT_EQ(check(R"({"count":"2"})"), "count must be a whole number of at least 2.");
  EXPECT_EQ(check(R"({"integer":-2})"), "integer must be a whole number of at least -1.");
  EXPECT_EQ(check(R"({"word":"four"})"), "word must be one, two or three.");
  EXPECT_EQ(check(R"({"word":1})"), "word must be one, two or three.");
  EXPECT_EQ(check(R"({"number":2.5})"), "number must be a number from -2.0 to 2.0.");
  EXPECT_EQ(check(R"({"number":"1"})"), "number must be a number from -2.0 to 2.0.");
  EXPECT_EQ(check(R"({"object":[]})"), "object must be an object.");
  EXPECT_EQ(check(R"({"list":{}})"), "list must be a list.");
}

TEST_F(body, the_first_wrong_member_is_the_reason) {
  EXPECT_EQ(after(R"({"b":1})",
                  [](body_reader& reader) {
                    std::string text;
                    EXPECT_EQ(reader.required("a"), nullptr);
                    reader.text("b", text);
                    EXPECT_FALSE(reader.good());
                    EXPECT_EQ(reader.find("b"), nullptr);
                    reader.refuse(bad_request("c", "another"));
                  }),
            "a is missing.");
}

TEST_F(body, a_member_of_a_member_is_named_with_both) {
  EXPECT_FALSE(parse_body(R"({"inner":{"on":"yes"}})", document_));
  body_reader reader(document_["inner"], "inner.");
  bool on = false;
  reader.flag("on", on);
  const auto no = reader.result();
  ASSERT_TRUE(no);
  EXPECT_EQ(no->status, 400);
  EXPECT_EQ(no->message, "inner.on must be true or false.");
  EXPECT_EQ(no->param, "inner.on");
}

TEST_F(body, token_ids_are_stored_as_four_bytes_each) {
  const auto read = [&](const std::string& list) -> std::string {
    EXPECT_FALSE(parse_body("{\"ids\":" + list + "}", document_));
    std::string out;
    return read_ids(document_["ids"], out) ? out : "refused";
  };
  EXPECT_EQ(read("[4294967295,1]").size(), 8U);
  EXPECT_EQ(read("[4294967295]"), "\xFF\xFF\xFF\xFF");
  for (const char* const list : {"[]", "[1,-1]", "[1.5]", "[4294967296]", "[true]", "[[1]]"})
    EXPECT_EQ(read(list), "refused") << list;
}

TEST_F(body, a_body_must_be_an_object_of_type_json) {
  EXPECT_EQ(parse_body("[]", document_)->message, "The body must be a JSON object.");
  EXPECT_EQ(parse_body("{", document_)->message.find("The body is malformed JSON at byte 1"), 0U);
  for (const char* type : {"", "application/json", "Application/JSON ; charset=utf-8"})
    EXPECT_FALSE(check_json_type(type)) << type;
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "application/jsonl"})
    EXPECT_EQ(check_json_type(type)->message,
              "Unsupported Media Type: Only 'application/json' is allowed")
        << type;
}

}  // namespace
}  // namespace inferbench::simulator
