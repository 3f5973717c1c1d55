#include "options/toml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/options/test_environment.hpp"

namespace inferbench::options {
namespace {

node parsed(std::string_view text) { return parse_toml(text, "x.toml", test_environment()); }

TEST(toml, members_keep_the_order_of_the_file_and_their_positions) {
  const node root = parsed("[zeta]\nb = 1\na = 'x'\n\n[alpha]\nc = [1.0, true]\n");
  EXPECT_EQ(root.names, (std::vector<std::string>{"zeta", "alpha"}));
  EXPECT_EQ(root.find("zeta")->names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(root.find("zeta")->find("a")->where.text(), "x.toml:3:5");
  EXPECT_EQ(to_json(root), R"({"zeta": {"b": 1, "a": "x"}, "alpha": {"c": [1.0, true]}})");
}

TEST(toml, a_syntax_error_has_line_and_column) {
  EXPECT_THAT(complaint_of([] { (void)parsed("[run]\nseed = = 1\n"); }),
              testing::StartsWith("x.toml:2:8: "));
}

TEST(toml, a_key_given_twice_is_an_error) {
  EXPECT_THAT(complaint_of([] { (void)parsed("[run]\nseed = 1\nseed = 2\n"); }),
              testing::StartsWith("x.toml:3:"));
}

TEST(toml, invalid_utf8_is_an_error_and_not_a_crash) {
  EXPECT_THAT(complaint_of([] { (void)parsed("a = \"\xFF\xFE\"\n"); }),
              testing::StartsWith("x.toml:1:"));
  EXPECT_NE(complaint_of([] { (void)parsed(std::string(100'000, '[')); }), "");
}

TEST(toml, keys_with_parts_without_end_are_an_error_and_no_crash) {
  std::string parts;
  for (int i = 0; i < 2'000; ++i)
    parts += ".a";
  const std::string want = "values are nested more than 200 levels deep";
  EXPECT_THAT(complaint_of([&] { (void)parsed("[b]\na" + parts + " = 1\n"); }),
              testing::EndsWith(want));
  EXPECT_THAT(complaint_of([&] { (void)parsed("[b" + parts + "]\nx = 1\n"); }),
              testing::EndsWith(want));
  EXPECT_EQ(complaint_of([&] { (void)parsed("a" + parts.substr(0, 200) + " = 1\n"); }), "");
}

TEST(toml, a_whole_text_is_filled_in_from_the_environment) {
  const node root = parsed("a = \"${TOKEN}\"\nb = \"x${TOKEN}\"\nc = [\"$${TOKEN}\"]\n");
  EXPECT_EQ(root.find("a")->text, "s3cret");
  EXPECT_EQ(root.find("a")->variable, "TOKEN");
  EXPECT_EQ(root.find("b")->text, "x${TOKEN}");
  EXPECT_EQ(root.find("c")->items[0].text, "${TOKEN}");
}

TEST(toml, an_unset_variable_is_named_with_its_place) {
  EXPECT_EQ(
      complaint_of([] { (void)parsed("\na = \"${NOWHERE}\"\n"); }),
      "x.toml:2:5: the environment variable NOWHERE is not set; set it, or write the value in "
      "its place");
}

TEST(toml, dates_are_refused) {
  EXPECT_EQ(complaint_of([] { (void)parsed("a = 2026-01-01\n"); }),
            "x.toml:1:5: dates and times are not used here; write a text");
}

TEST(toml, a_literal_is_one_value) {
  EXPECT_EQ(parse_toml_literal("{ a = [1, 2] }", "here").find("a")->items.size(), 2U);
  EXPECT_THAT(complaint_of([] { (void)parse_toml_literal("nonsense", "default of x.y"); }),
              testing::StartsWith("default of x.y:1:"));
}

TEST(toml, an_error_in_a_literal_has_the_column_of_the_literal) {
  EXPECT_THAT(complaint_of([] { (void)parse_toml_literal("[1", "--set a"); }),
              testing::StartsWith("--set a:1:3: "));
  EXPECT_EQ(complaint_of([] { (void)parse_toml_literal("2026-01-01", "--set a"); }),
            "--set a:1:1: dates and times are not used here; write a text");
}

TEST(toml, lines_behind_a_literal_are_refused) {
  EXPECT_EQ(complaint_of([] { (void)parse_toml_literal("1\nb = 2", "--set a"); }),
            "--set a: more than one value; give one TOML value");
}

}  // namespace
}  // namespace inferbench::options
