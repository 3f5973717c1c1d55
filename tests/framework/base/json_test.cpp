#include "base/json.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::base {

TEST(parse_json, names_line_and_column_of_a_mistake) {
  try {
    std::ignore = parse_json("{\n  \"a\": 1,\n  \"b\": }\n", "plan.json");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.where().file, "plan.json");
    EXPECT_EQ(e.where().line, 3U);
    EXPECT_EQ(e.where().column, 8U);
  }
}

TEST(parse_json, survives_deep_nesting) {
  const std::string deep(200'000, '[');
  EXPECT_THROW(std::ignore = parse_json(deep, "deep"), error);
}

TEST(parse_json, refuses_bad_utf8) {
  EXPECT_THROW(std::ignore = parse_json("\"\xFF\"", "bad"), error);
}

TEST(find, answers_nothing_for_what_is_not_there) {
  const auto d = parse_json(R"({"a": "x", "n": 1})", "t");
  EXPECT_EQ(text_of(find(d, "a")), "x");
  EXPECT_EQ(text_of(find(d, "n")), "");
  EXPECT_EQ(find(d, "b"), nullptr);
  EXPECT_EQ(find(*find(d, "n"), "a"), nullptr);
}

TEST(to_text, lays_json_out_as_python_does) {
  const auto d =
      parse_json(R"({"a":[1,-2,1.50,true,null,"é😀"],"b":{},"c":18446744073709551615})", "t");
  EXPECT_EQ(
      to_text(d),
      R"({"a": [1, -2, 1.5, true, null, "\u00e9\ud83d\ude00"], "b": {}, "c": 18446744073709551615})");
}

}  // namespace inferbench::base
