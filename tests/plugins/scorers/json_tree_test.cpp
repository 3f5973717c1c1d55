#include "scorers/common/json_tree.hpp"

#include <string_view>

#include <gtest/gtest.h>

#include "plugins/scorers/scored_record.hpp"

namespace scorers {
namespace {

bool equal(std::string_view a, std::string_view b) {
  json_tree one;
  json_tree other;
  EXPECT_EQ(one.read(a), tree_outcome::read) << a;
  EXPECT_EQ(other.read(b), tree_outcome::read) << b;
  EXPECT_EQ(same(one, other), same(other, one));
  return same(one, other);
}

TEST(json_trees, are_equal_whatever_the_order_of_keys_and_the_white_space) {
  EXPECT_TRUE(
      equal(R"({"a": 1, "b": {"c": [1, 2], "d": null}})", R"({ "b":{"d":null,"c":[1,2]},"a":1 })"));
  EXPECT_TRUE(equal("[]", " [ ] "));
  EXPECT_TRUE(equal(R"("\u00e9")", "\"\xC3\xA9\""));
  EXPECT_FALSE(equal("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(equal(R"({"a": 1})", R"({"a": 1, "b": 2})"));
  EXPECT_FALSE(equal(R"({"a": 1})", R"({"b": 1})"));
  EXPECT_FALSE(equal("{}", "[]"));
  EXPECT_FALSE(equal("null", "false"));
  EXPECT_FALSE(equal("true", "false"));
  EXPECT_FALSE(equal("true", "1"));
  EXPECT_FALSE(equal(R"("1")", "1"));
}

TEST(json_trees, have_equal_numbers_whatever_their_form) {
  EXPECT_TRUE(equal("1", "1.0"));
  EXPECT_TRUE(equal("100", "1e2"));
  EXPECT_TRUE(equal("0", "-0.0"));
  EXPECT_TRUE(equal("18446744073709551615", "1.8446744073709551615e19"));
  EXPECT_FALSE(equal("1", "1.5"));
  EXPECT_FALSE(equal("9007199254740993", "9007199254740992"));
  EXPECT_FALSE(equal("-1", "1"));
  EXPECT_FALSE(equal("1e300", "1e301"));
}

TEST(json_trees, have_the_last_of_several_members_with_one_name) {
  EXPECT_TRUE(equal(R"({"a": 1, "b": 2, "a": 3})", R"({"a": 3, "b": 2})"));
  EXPECT_TRUE(equal(R"({"a": 1, "a": 1, "a": {"x": 1, "x": 2}})", R"({"a": {"x": 2}})"));
}

TEST(json_trees, compare_texts_with_a_zero_byte_to_their_end) {
  EXPECT_FALSE(equal(R"("a\u0000b")", R"("a\u0000c")"));
  EXPECT_FALSE(equal(R"({"a\u0000b": 1})", R"({"a": 1})"));
}

TEST(json_trees, are_not_read_from_bad_or_very_large_texts) {
  json_tree tree;
  EXPECT_EQ(tree.read("{"), tree_outcome::no_json);
  EXPECT_EQ(tree.read(""), tree_outcome::no_json);
  EXPECT_EQ(tree.read("1 2"), tree_outcome::no_json);
  EXPECT_EQ(tree.read("1e999"), tree_outcome::no_json);
  EXPECT_EQ(tree.read("[" + repeated("1,", most_values) + "1]"), tree_outcome::too_large);
  EXPECT_TRUE(tree.root().IsNull());
  EXPECT_EQ(tree.read("[[1, 2, 3], [4], {}]"), tree_outcome::read);
  EXPECT_EQ(tree.size().values, 8U);
  EXPECT_EQ(tree.pairs(), 9U + 9U + 1U);
}

}  // namespace
}  // namespace scorers
