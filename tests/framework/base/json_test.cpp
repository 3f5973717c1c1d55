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

}  // namespace inferbench::base
