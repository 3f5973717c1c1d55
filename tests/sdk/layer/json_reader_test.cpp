#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <inferbench/json_reader.hpp>

namespace {

using ifb::find;
using ifb::find_path;
using ifb::json_document;
using ifb::read_json;

/// "line:column why", or empty.
std::string refusal(std::string_view text) {
  json_document document;
  const auto error = ifb::parse_json(text, document);
  return error
             ? std::to_string(error->line) + ":" + std::to_string(error->column) + " " + error->why
             : "";
}

TEST(parse_json, takes_one_value_with_blanks_around_it) {
  for (const char* const text : {"null", " [1] ", "\n{\"a\": {}}\n", "\"x\"", "-0.5e-3"})
    EXPECT_EQ(refusal(text), "") << text;
}

TEST(parse_json, reports_where_a_text_is_malformed) {
  EXPECT_EQ(refusal(""), "1:1 The document is empty");
  EXPECT_EQ(refusal("{\"a\": 1,}"), "1:9 Missing a name for object member");
  EXPECT_EQ(refusal("{\n \"a\": 1\n \"b\": 2}"),
            "3:2 Missing a comma or '}' after an object member");
  EXPECT_EQ(refusal("[1] 2"), "1:5 The document root must not be followed by other values");
  EXPECT_EQ(refusal("NaN"), "1:1 Invalid value");
}

TEST(parse_json, refuses_texts_that_are_not_utf8) {
  EXPECT_NE(refusal("\"\xFF\""), "");
  EXPECT_NE(refusal("\"\\ud800\""), "");
  EXPECT_EQ(refusal("\"\xE2\x82\xAC\""), "");
}

TEST(parse_json, keeps_every_digit) {
  const json_document document =
      read_json("[18446744073709551615, -9223372036854775808, 0.1, 1e23]");
  EXPECT_EQ(document[0].GetUint64(), UINT64_MAX);
  EXPECT_EQ(document[1].GetInt64(), INT64_MIN);
  EXPECT_EQ(document[2].GetDouble(), 0.1);
  EXPECT_EQ(document[3].GetDouble(), 1e23);
}

TEST(parse_json, reads_any_depth) {
  EXPECT_EQ(refusal(std::string(1'000'000, '[') + std::string(1'000'000, ']')), "");
}

TEST(read_json, throws_a_failure_that_says_where) {
  try {
    static_cast<void>(read_json("{\"a\"\n 1}"));
    FAIL();
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_PROTOCOL);
    EXPECT_EQ(e.message(),
              "malformed JSON at line 2, column 2: Missing a colon after a name of object member");
  }
  try {
    static_cast<void>(read_json("", IFB_E_DATA));
    FAIL();
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_DATA);
  }
}

TEST(find, gives_the_member_or_nothing) {
  const json_document document = read_json(R"({"a": 1, "": 2, "n": null, "b": [3]})");
  EXPECT_EQ(find(document, "a")->GetInt(), 1);
  EXPECT_EQ(find(document, "")->GetInt(), 2);
  EXPECT_TRUE(find(document, "n")->IsNull());
  EXPECT_EQ(find(document, "c"), nullptr);
  EXPECT_EQ(find(find(document, "b"), "a"), nullptr);  // not an object
  EXPECT_EQ(find(find(document, "c"), "a"), nullptr);  // the object has no member "a"
}

TEST(find, takes_the_last_of_several_members_with_one_name) {
  EXPECT_EQ(find(read_json(R"({"a": 1, "a": 2})"), "a")->GetInt(), 2);
}

TEST(find, compares_names_with_all_their_bytes) {
  const json_document document = read_json(R"({"a\u0000b": 1, "a": 2})");
  EXPECT_EQ(find(document, std::string_view("a\0b", 3))->GetInt(), 1);
  EXPECT_EQ(find(document, "a")->GetInt(), 2);
}

TEST(find_path, walks_through_objects_and_arrays) {
  const json_document document =
      read_json(R"({"choices": [{"text": "x"}, {"text": "y"}], "1": {"": 5}})");
  EXPECT_EQ(ifb::text_of(find_path(document, "choices.1.text")), "y");
  EXPECT_EQ(find_path(document, "choices.0")->MemberCount(), 1U);
  EXPECT_EQ(ifb::integer_of(find_path(document, "1.")), 5);
  for (const char* const path :
       {"", "choices.2", "choices.-1", "choices.", "choices.0x", "choices.1.", "choices.text",
        "choices.0.text.0", "x", "choices.99999999999"})
    EXPECT_EQ(find_path(document, path), nullptr) << path;
}

TEST(text_of, gives_the_text_of_a_string_and_nothing_else) {
  const json_document document = read_json(R"({"a": "x\u0000y", "b": 1})");
  EXPECT_EQ(ifb::text_of(find(document, "a")), std::string_view("x\0y", 3));
  EXPECT_EQ(ifb::text_of(find(document, "b")), "");
  EXPECT_EQ(ifb::text_of(nullptr), "");
}

TEST(read_json, replaces_half_a_surrogate_pair_by_the_replacement_character) {
  const json_document document =
      read_json(R"({"a": ["x\udc00y\uDFff", "\ud83d\ude00", "\uD7FF"], "b": {"c": "\udead"}})");
  const auto at = [&](std::string_view path) { return ifb::text_of(find_path(document, path)); };
  EXPECT_EQ(at("a.0"), "x\xEF\xBF\xBDy\xEF\xBF\xBD");
  EXPECT_EQ(at("a.1"), "\xF0\x9F\x98\x80") << "a whole pair";
  EXPECT_EQ(at("a.2"), "\xED\x9F\xBF") << "the last character before the surrogates";
  EXPECT_EQ(at("b.c"), "\xEF\xBF\xBD");
}

TEST(integer_of, gives_a_whole_number_and_nothing_else) {
  const json_document document = read_json(R"([7, -7, 7.0, "7", null, 9223372036854775808])");
  EXPECT_EQ(ifb::integer_of(&document[0]), 7);
  EXPECT_EQ(ifb::integer_of(&document[1]), -7);
  for (const unsigned i : {2U, 3U, 4U, 5U})
    EXPECT_EQ(ifb::integer_of(&document[i]), -1) << i;
  EXPECT_EQ(ifb::integer_of(nullptr, 5), 5);
}

TEST(to_text, writes_parsed_json_in_the_layout_of_the_writer) {
  const std::string text =
      R"({"a": [1, -1, 18446744073709551615, 0.5, 1e+23], "b": {"\u00e9": null}, "c": [], "d": {}, "e": true, "f": false})";
  EXPECT_EQ(ifb::to_text(read_json(text)), text);
}

TEST(to_text, writes_any_depth_without_recursion) {
  std::string text;
  for (int level = 0; level < 200'000; ++level)
    text += R"([{"a": )";
  text += "null";
  for (int level = 0; level < 200'000; ++level)
    text += "}]";
  EXPECT_TRUE(ifb::to_text(read_json(text)) == text);  // no message of megabytes
}

TEST(to_text, lays_json_out_as_python_does) {
  const json_document document =
      read_json(R"({"a":[1,-2,1.50,true,null,"é😀"],"b":{},"c":18446744073709551615})");
  EXPECT_EQ(
      ifb::to_text(document),
      R"({"a": [1, -2, 1.5, true, null, "\u00e9\ud83d\ude00"], "b": {}, "c": 18446744073709551615})");
}

}  // namespace
