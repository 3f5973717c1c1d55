#include "base/csv.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::base {

namespace {

std::string csv_field(std::string_view text) {
  std::string out;
  put_csv_field(out, text);
  return out;
}

}  // namespace

TEST(a_csv_field, is_in_quotes_only_if_a_reader_would_split_it) {
  EXPECT_EQ(csv_field("a b;c'\t"), "a b;c'\t");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("a\rb"), "\"a\rb\"");
}

TEST(a_csv_field, has_each_quote_twice) {
  EXPECT_EQ(csv_field("\""), "\"\"\"\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
}

TEST(a_csv_field, keeps_all_other_bytes) {
  const std::string_view bytes("\0\xff,", 3);
  EXPECT_EQ(csv_field(bytes), "\"" + std::string(bytes) + "\"");
}

TEST(a_csv_field, is_appended_to_the_text) {
  std::string out = "a,";
  put_csv_field(out, "b");
  EXPECT_EQ(out, "a,b");
}

TEST(a_csv_line, has_commas_between_fields_and_a_line_end) {
  EXPECT_EQ(csv_line(std::vector<std::string>{"a", "", "b,c", ""}), "a,,\"b,c\",\n");
  EXPECT_EQ(csv_line(std::vector<std::string>{"a"}), "a\n");
  EXPECT_EQ(csv_line({}), "\n");
}

}  // namespace inferbench::base
