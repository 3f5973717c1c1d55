#include "tokenizers/common/node.hpp"

#include <string>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace {

std::string json_refusal(std::string text) {
  rapidjson::Document into;
  try {
    tokenizers::parse_json(text, into, "f.json");
  } catch (const ifb::failure& e) {
    return e.what();
  }
  return "";
}

TEST(node, names_line_and_column_of_text_that_is_not_json) {
  EXPECT_EQ(json_refusal(""), "f.json:1:1: not well-formed JSON");
  EXPECT_EQ(json_refusal("{\"a\": 1,\n \"b\" 2}"), "f.json:2:6: not well-formed JSON");
  EXPECT_EQ(json_refusal("[1,\n\n"), "f.json:3:1: not well-formed JSON");
}

TEST(node, counts_no_line_for_an_escaped_newline) {
  EXPECT_EQ(json_refusal("{\"a\\n\\n\": \"b\\nc\",\n \"d\" 2}"),
            "f.json:2:6: not well-formed JSON");
}

TEST(node, refuses_nesting_that_is_deeper_than_any_real_file) {
  EXPECT_EQ(json_refusal(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_EQ(json_refusal(std::string(65, '[')), "f.json: nested more than 64 levels deep");
  EXPECT_EQ(json_refusal("[\"" + std::string(100, '[') + "\"]"), "");
}

}  // namespace
