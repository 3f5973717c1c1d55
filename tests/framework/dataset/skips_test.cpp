#include "dataset/skips.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using inferbench::dataset::skips;
using ::testing::ElementsAre;

TEST(skips, a_reason_is_one_line_with_its_count_and_first_row) {
  skips s;
  s.add("too short", 4);
  s.add("too short", 9);
  s.add("too long", 5);
  EXPECT_EQ(s.total(), 3U);
  EXPECT_THAT(s.lines(), ElementsAre("2 rows skipped: too short (first: row 5)",
                                     "1 row skipped: too long (first: row 6)"));
}

TEST(skips, the_text_after_a_semicolon_names_the_row) {
  skips s;
  s.add("too short; record 17 of a.json", 0);
  s.add("too short; record 18 of a.json", 1);
  EXPECT_THAT(s.lines(), ElementsAre("2 rows skipped: too short (first: record 17 of a.json)"));
}

TEST(skips, a_reason_may_be_missing) {
  skips s;
  s.add("", 0);
  EXPECT_THAT(s.lines(), ElementsAre("1 row skipped: no reason given (first: row 1)"));
}

TEST(skips, a_new_reason_for_each_row_does_not_fill_the_screen) {
  skips s;
  for (std::uint64_t i = 0; i < 100; ++i)
    s.add("reason " + std::to_string(i), i);
  ASSERT_EQ(s.lines().size(), 17U);
  EXPECT_EQ(s.lines().back(), "84 rows skipped: other reasons (first: row 17)");
}

TEST(skips, cleared_it_knows_nothing) {
  skips s;
  s.add("x", 0);
  s.clear();
  EXPECT_EQ(s.total(), 0U);
  EXPECT_TRUE(s.lines().empty());
}

}  // namespace
