#include "transport/json_extent.hpp"

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

bool unfinished(std::string_view text) {
  json_extent whole;
  whole.add(text);
  json_extent bytes;
  for (std::size_t i = 0; i < text.size(); ++i)
    bytes.add(text.substr(i, 1));
  EXPECT_EQ(whole.unfinished(), bytes.unfinished()) << text;
  return whole.unfinished();
}

TEST(json_extent, is_unfinished_while_a_bracket_is_open) {
  EXPECT_TRUE(unfinished("{"));
  EXPECT_TRUE(unfinished(R"(  {"a": [1, 2)"));
  EXPECT_TRUE(unfinished(R"({"a": "}")"));
  EXPECT_TRUE(unfinished(R"(["\"]")"));
  EXPECT_TRUE(unfinished(R"(["\\\"]")"));
}

TEST(json_extent, is_finished_with_the_bracket_that_closes_the_first) {
  EXPECT_FALSE(unfinished("{}"));
  EXPECT_FALSE(unfinished(R"({"a": [1, {"b": "]}"}]})"));
  EXPECT_FALSE(unfinished("[DONE]"));
  EXPECT_FALSE(unfinished("{} {"));
}

TEST(json_extent, finds_nothing_unfinished_in_other_values_than_objects_and_arrays) {
  EXPECT_FALSE(unfinished(""));
  EXPECT_FALSE(unfinished("  "));
  EXPECT_FALSE(unfinished("null"));
  EXPECT_FALSE(unfinished("\"{"));
  EXPECT_FALSE(unfinished("error: {"));
  EXPECT_FALSE(unfinished("]{"));
}

TEST(json_extent, can_begin_again) {
  json_extent extent;
  extent.add("{\"");
  extent.begin();
  EXPECT_FALSE(extent.unfinished());
  extent.add("[");
  EXPECT_TRUE(extent.unfinished());
}

}  // namespace
}  // namespace inferbench::transport
