#include "simulator/large_body.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

const std::string long_text(shortest_long_string, 'x');

bool points_into(const rapidjson::Value& text, const std::string& body) {
  return text.GetString() >= body.data() && text.GetString() < body.data() + body.size();
}

void parse_whole(std::string_view body, rapidjson::Document& out) {
  out.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(body.data(),
                                                                                    body.size());
}

TEST(large_body, a_long_string_points_into_the_body_and_a_short_string_does_not) {
  const std::string body = R"( {"a":")" + long_text + R"(","b":["short",")" + long_text +
                           R"(",7,-1.5,true,null,{"c":")" + long_text.substr(1) + R"("}]} )";
  rapidjson::Document json;
  ASSERT_TRUE(parse_large_body(body, json));
  EXPECT_EQ(base::text_of(&json["a"]), long_text);
  EXPECT_TRUE(points_into(json["a"], body));
  EXPECT_TRUE(points_into(json["b"][1], body));
  EXPECT_FALSE(points_into(json["b"][0], body));
  EXPECT_FALSE(points_into(json["b"][6]["c"], body)) << "one character too short";
  rapidjson::Document whole;
  parse_whole(body, whole);
  EXPECT_EQ(json, whole);
}

TEST(large_body, a_string_that_must_be_changed_or_checked_is_copied) {
  for (const std::string inside : {"\\n", "\\\"", "\\u00e9", "\xC3\xA9"}) {
    const std::string body =
        R"({"plain":")" + long_text + R"(","other":")" + long_text + inside + R"("})";
    rapidjson::Document json;
    ASSERT_TRUE(parse_large_body(body, json)) << inside;
    EXPECT_TRUE(points_into(json["plain"], body));
    EXPECT_FALSE(points_into(json["other"], body)) << inside;
    rapidjson::Document whole;
    parse_whole(body, whole);
    EXPECT_EQ(json, whole) << inside;
  }
}

TEST(large_body, a_name_of_a_member_may_be_long) {
  const std::string body = "{\"" + long_text + "\":1}";
  rapidjson::Document json;
  ASSERT_TRUE(parse_large_body(body, json));
  EXPECT_EQ(json.FindMember(long_text.c_str())->value.GetInt(), 1);
}

TEST(large_body, a_body_without_long_strings_is_left_to_the_other_parser) {
  rapidjson::Document json;
  EXPECT_FALSE(parse_large_body("", json));
  EXPECT_FALSE(parse_large_body(R"({"a":"b"})", json));
  EXPECT_FALSE(parse_large_body(R"({"a":")" + long_text, json)) << "the string does not end";
  EXPECT_FALSE(parse_large_body(R"({"a":")" + long_text + "\\\"", json));
}

TEST(large_body, the_search_ends_where_it_would_cost_more_than_it_saves) {
  std::string body = "[";
  for (int i = 0; i < 10'000; ++i)
    body += "\"a\",";
  body += "\"" + long_text + "\"]";
  rapidjson::Document json;
  EXPECT_FALSE(parse_large_body(body, json));
  const std::string first = "[\"" + long_text + "\"," + body.substr(1);
  ASSERT_TRUE(parse_large_body(first, json)) << "a string that was found stays found";
  ASSERT_EQ(json.Size(), 10'002U);
  EXPECT_TRUE(points_into(json[0], first));
  EXPECT_FALSE(points_into(json[10'001], first));
}

// Also a damaged body gives what the parser of whole bodies gives: a value, or an error.
TEST(large_body, no_damage_makes_a_difference) {
  const std::string intact = R"({"a":")" + long_text + "0" + R"(","b":[")" + long_text +
                             R"(",{"k\"":"x\\"}],"c":1.5e3,"d":null,"e":-3,")" + long_text +
                             R"(":18446744073709551615})" + std::string(3000, ' ');
  std::mt19937 random(20);  // NOLINT(cert-msc51-cpp): the same bodies in each run
  const std::string bytes("\"\\{}[]:,au \n\0\xFF\xC3\xA9", 16);
  int parsed = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string body = intact;
    const std::size_t reach = 1700;  // not only blanks
    for (unsigned changes = random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % reach;
      if (random() % 2 == 0)
        body[at] = bytes[random() % bytes.size()];
      else
        body.erase(at, 1 + random() % 3);
    }
    if (i % 10 == 0) body.resize(random() % reach);
    rapidjson::Document by_reference;
    rapidjson::Document whole;
    parse_whole(body, whole);
    if (!parse_large_body(body, by_reference)) continue;
    ++parsed;
    ASSERT_FALSE(whole.HasParseError()) << body;
    ASSERT_EQ(by_reference, whole) << body;
  }
  EXPECT_GT(parsed, 500);
}

TEST(large_body, deep_nesting_does_not_overflow_the_stack) {
  std::string body = "\"" + long_text + "\"";
  body = std::string(1'000'000, '[') + body + std::string(1'000'000, ']');
  rapidjson::Document json;
  EXPECT_TRUE(parse_large_body(body, json));
}

}  // namespace
}  // namespace inferbench::simulator
