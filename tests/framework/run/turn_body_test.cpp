#include "run/turn_body.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::run {
namespace {

TEST(turn_body, placeholders_have_the_values_of_the_turn) {
  const turn_body body(
      R"({"min_tokens": "$answer_tokens", "conversation_id": "$conversation_id", "x": [1, "a"]})");
  EXPECT_TRUE(body.carries_length());
  EXPECT_EQ(body.of(12, "a\"b"), R"({"min_tokens":12,"conversation_id":"a\"b","x":[1, "a"]})");
}

TEST(turn_body, a_member_of_an_unknown_length_is_left_out) {
  const turn_body both(R"({"max_tokens": "$answer_tokens", "y": 1})");
  EXPECT_EQ(both.of(-1, "c"), R"({"y":1})");
  const turn_body alone(R"({"max_tokens": "$answer_tokens"})");
  EXPECT_EQ(alone.of(-1, "c"), "");
}

TEST(turn_body, a_least_length_does_not_take_the_place_of_the_length) {
  const turn_body body(R"({"min_tokens": "$least_answer_tokens"})");
  EXPECT_FALSE(body.carries_length());
  EXPECT_EQ(body.of(12, "c"), R"({"min_tokens":12})");
  EXPECT_EQ(body.of(-1, "c"), "");
}

TEST(turn_body, constants_carry_no_length) {
  const turn_body body(R"({"max_tokens": 7})");
  EXPECT_FALSE(body.carries_length());
  EXPECT_EQ(body.of(3, "c"), R"({"max_tokens":7})");
  EXPECT_TRUE(turn_body("").empty());
}

TEST(turn_body, other_values_are_refused) {
  for (const char* text : {"[]", "7", "{", "x"})
    EXPECT_THROW(turn_body{text}, base::error) << text;
}

}  // namespace
}  // namespace inferbench::run
