#include "reporters/pages/string_table.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using reporters::string_table;
using testing::ElementsAre;

TEST(string_table, equal_texts_have_one_number_and_the_empty_text_has_none) {
  string_table table({});
  EXPECT_EQ(table.number_of(""), 0U);
  EXPECT_EQ(table.number_of("a"), 1U);
  EXPECT_EQ(table.number_of("b"), 2U);
  EXPECT_EQ(table.number_of("a"), 1U);
  EXPECT_THAT(table.texts(), ElementsAre("a", "b"));
}

TEST(string_table, texts_beyond_the_limit_share_a_number) {
  string_table table({.texts = 2, .rest = "others"});
  for (const char* text : {"a", "b", "c", "d"})
    (void)table.number_of(text);
  EXPECT_EQ(table.number_of("e"), 3U);
  EXPECT_EQ(table.number_of("b"), 2U);
  EXPECT_THAT(table.texts(), ElementsAre("a", "b", "others"));
}

TEST(string_table, the_first_texts_may_be_longer_than_the_others) {
  string_table table({.texts = 9, .long_texts = 1, .long_bytes = 10, .bytes = 4});
  const std::string longer = "0123456789abc";
  EXPECT_EQ(table.number_of(longer), 1U);
  EXPECT_EQ(table.number_of("aaaaaaaa"), 2U);
  EXPECT_EQ(table.number_of("aaaaaabb"), 2U);  // equal as far as the table keeps it
  EXPECT_EQ(table.number_of(longer), 1U);
  EXPECT_THAT(table.texts(), ElementsAre("0123456789...", "aaaa..."));
}

TEST(string_table, a_text_is_cut_between_two_characters) {
  string_table table({.bytes = 4});
  EXPECT_EQ(table.number_of("abc\xC3\xA9"), 1U);
  EXPECT_EQ(table.texts()[0], "abc...");
}

}  // namespace
