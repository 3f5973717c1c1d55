#include "prompts/message_content.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::prompts {
namespace {

/// The message with "S" in front of its text, or "none".
std::string salted(std::string_view json) {
  const auto place = content_of(json);
  return place ? with_text(json, *place, "S") : "none";
}

TEST(message_content, is_a_text) {
  EXPECT_EQ(salted(R"({"role":"user","content":"hi"})"), R"({"role":"user","content":"Shi"})");
  EXPECT_EQ(salted(R"( { "content" : "" , "role" : "user" } )"),
            R"( { "content" : "S" , "role" : "user" } )");
  EXPECT_EQ(content_of(R"({"content":"a\n\u00e9"})")->text, "a\n\xC3\xA9");
}

TEST(message_content, is_the_text_of_the_first_part) {
  EXPECT_EQ(salted(R"({"content":[{"type":"text","text":"hi"},{"type":"text","text":"ho"}]})"),
            R"({"content":[{"type":"text","text":"Shi"},{"type":"text","text":"ho"}]})");
  EXPECT_EQ(salted(R"({"content":["hi"]})"), R"({"content":["Shi"]})");
}

TEST(message_content, gets_a_separate_part_before_content_that_is_not_text) {
  EXPECT_EQ(salted(R"({"content":[{"type":"image_url","image_url":{"text":"u"}},{"text":"t"}]})"),
            R"({"content":[{"type": "text", "text": "S"}, )"
            R"({"type":"image_url","image_url":{"text":"u"}},{"text":"t"}]})");
  EXPECT_EQ(salted(R"({"content": []})"), R"({"content": [{"type": "text", "text": "S"}]})");
  EXPECT_EQ(salted(R"({"content": [1]})"), R"({"content": [{"type": "text", "text": "S"}, 1]})");
  EXPECT_EQ(salted(R"({"content": [[], "t"]})"),
            R"({"content": [{"type": "text", "text": "S"}, [], "t"]})");
  EXPECT_EQ(salted(R"({"content": [{}]})"), R"({"content": [{"type": "text", "text": "S"}, {}]})");
}

TEST(message_content, is_not_a_nested_member_or_a_value_of_another_type) {
  EXPECT_EQ(salted(R"({"x":{"content":"hi"}})"), "none");
  EXPECT_EQ(salted(R"({"content":null,"tool_calls":[{"text":"t"}]})"), "none");
  EXPECT_EQ(salted(R"({"content":{"text":"t"}})"), "none");
  EXPECT_EQ(salted(R"({"content":17, "content2":"x"})"), "none");
  EXPECT_EQ(salted(R"({"role":"content","tool":"content"})"), "none");
  EXPECT_EQ(salted(R"({"tools":["content","x"],"content":"hi"})"),
            R"({"tools":["content","x"],"content":"Shi"})");
}

TEST(message_content, leaves_all_else_as_it_is_written) {
  EXPECT_EQ(salted(R"({"n":1e99, "big":18446744073709551616, "content":"a\/b","z":0.10})"),
            R"({"n":1e99, "big":18446744073709551616, "content":"Sa\/b","z":0.10})");
}

TEST(message_content, inserted_text_is_escaped) {
  const std::string json = R"({"content":"hi"})";
  EXPECT_EQ(with_text(json, *content_of(json), "\"\n\\"), R"({"content":"\"\n\\hi"})");
}

TEST(message_content, of_invalid_json_is_not_found) {
  for (const char* bad : {"", "{", "[]", "17", "\"content\"", R"({"content")", R"({"content":)",
                          R"({"content":"hi)", R"({"content":[)", R"({"content":[{"text")"})
    EXPECT_EQ(salted(bad), "none") << bad;
  EXPECT_EQ(salted(std::string(1'000'000, '[')), "none");
  EXPECT_EQ(salted("{\"a\":" + std::string(1'000'000, '[')), "none");
}

}  // namespace
}  // namespace inferbench::prompts
