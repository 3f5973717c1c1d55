#include "sweep/links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"

namespace inferbench::sweep {
namespace {

using testing::StartsWith;

bool are_linked(const std::string& links, const std::string& serve, const std::string& bench) {
  return linked(parse_links(links), made_item(serve), made_item(bench));
}

bool are_equal(const std::string& a, const std::string& b) {
  const bool out = equal_values(pytext::read_json_node(a, "a"), pytext::read_json_node(b, "b"));
  EXPECT_EQ(equal_values(pytext::read_json_node(b, "b"), pytext::read_json_node(a, "a")), out)
      << a << " " << b;
  return out;
}

TEST(links, pairs_are_separated_by_commas_and_trimmed) {
  const auto links = parse_links(" max_num_seqs = max_concurrency ,max_model_len=random_input_len");
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].serve_key, "max_num_seqs");
  EXPECT_EQ(links[0].bench_key, "max_concurrency");
  EXPECT_EQ(links[1].serve_key, "max_model_len");
  EXPECT_EQ(links[1].bench_key, "random_input_len");
}

TEST(links, an_empty_text_has_no_links) {
  EXPECT_TRUE(parse_links("").empty());
  EXPECT_TRUE(parse_links("  ").empty());
  EXPECT_TRUE(are_linked("", R"({"a": 1})", "{}"));
}

TEST(links, a_pair_has_one_equals_sign_and_two_keys) {
  for (const char* text : {"a", "a=b=c", "a==b", "a=b,", ",a=b", "a=b,,c=d", "=", "a=", "=b", ","})
    EXPECT_THAT(complaint_of([&] { return parse_links(text); }), StartsWith("--link-vars: \""))
        << text;
}

TEST(links, both_items_must_have_the_key_with_equal_values) {
  EXPECT_TRUE(are_linked("a=b", R"({"a": 1})", R"({"b": 1})"));
  EXPECT_FALSE(are_linked("a=b", R"({"a": 1})", R"({"b": 2})"));
  EXPECT_FALSE(are_linked("a=b", R"({"a": 1})", "{}"));
  EXPECT_FALSE(are_linked("a=b", "{}", R"({"b": 1})"));
  EXPECT_FALSE(are_linked("a=b", "{}", "{}"));
}

TEST(links, every_pair_must_be_equal) {
  EXPECT_TRUE(are_linked("a=b,c=d", R"({"a": 1, "c": 2})", R"({"b": 1, "d": 2})"));
  EXPECT_FALSE(are_linked("a=b,c=d", R"({"a": 1, "c": 2})", R"({"b": 1, "d": 3})"));
}

TEST(links, the_spelling_of_a_key_is_exact) {
  EXPECT_FALSE(are_linked("max-num-seqs=b", R"({"max_num_seqs": 1})", R"({"b": 1})"));
  EXPECT_TRUE(are_linked("max-num-seqs=b", R"({"max-num-seqs": 1})", R"({"b": 1})"));
}

TEST(links, numbers_are_equal_by_value_and_texts_are_no_numbers) {
  EXPECT_TRUE(are_equal("1", "1.0"));
  EXPECT_FALSE(are_equal("1", "\"1\""));
  EXPECT_TRUE(are_equal("1", "true"));
  EXPECT_TRUE(are_equal("0.0", "false"));
  EXPECT_FALSE(are_equal("2", "true"));
  EXPECT_TRUE(are_equal("0.0", "-0.0"));
  EXPECT_TRUE(are_equal("0", "-0.0"));
  EXPECT_FALSE(are_equal("0.1", "0.10000000000000001e1"));
  EXPECT_TRUE(are_equal("Infinity", "Infinity"));
  EXPECT_FALSE(are_equal("Infinity", "-Infinity"));
  EXPECT_FALSE(are_equal("NaN", "NaN"));
}

TEST(links, large_numbers_are_compared_exactly) {
  EXPECT_FALSE(are_equal("9007199254740993", "9007199254740992.0"));
  EXPECT_TRUE(are_equal("9007199254740992", "9007199254740992.0"));
  EXPECT_TRUE(are_equal("18446744073709551616", "18446744073709551616.0"));
  EXPECT_FALSE(are_equal("18446744073709551617", "18446744073709551616.0"));
  EXPECT_TRUE(are_equal("100000000000000000000000", "100000000000000000000000"));
}

TEST(links, texts_lists_objects_and_null_are_compared) {
  EXPECT_TRUE(are_equal("\"a\"", "\"a\""));
  EXPECT_FALSE(are_equal("\"a\"", "\"A\""));
  EXPECT_TRUE(are_equal("null", "null"));
  EXPECT_FALSE(are_equal("null", "false"));
  EXPECT_FALSE(are_equal("null", "\"None\""));
  EXPECT_TRUE(are_equal("[1, 2.0]", "[1.0, 2]"));
  EXPECT_FALSE(are_equal("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(are_equal("[1]", "[1, 1]"));
  EXPECT_TRUE(are_equal(R"({"a": 1, "b": [2]})", R"({"b": [2.0], "a": true})"));
  EXPECT_FALSE(are_equal(R"({"a": 1})", R"({"a": 1, "b": 1})"));
  EXPECT_FALSE(are_equal(R"({"a": 1})", R"({"b": 1})"));
  EXPECT_FALSE(are_equal("[]", "{}"));
}

}  // namespace
}  // namespace inferbench::sweep
