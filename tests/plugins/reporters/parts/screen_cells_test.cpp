#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reporters/screen/cells.hpp"

namespace reporters {
namespace {

TEST(screen_cells, a_text_is_cut_between_characters_and_not_within_them) {
  EXPECT_EQ(fitted("abc", 3, true), "abc");
  EXPECT_EQ(fitted("abcd", 3, true), "abc");
  EXPECT_EQ(fitted("abcdefghij", 8, true), "abcde...");
  EXPECT_EQ(fitted("\u4e2d\u6587\u4e2d", 5, true), "\u4e2d\u6587");
  EXPECT_EQ(fitted("\u4e2d\u6587\u4e2d\u6587\u4e2d", 9, true), "\u4e2d\u6587\u4e2d...");
  EXPECT_EQ(fitted("abc", 0, true), "");
  EXPECT_EQ(columns_of("a\u4e2d"), 3U);
}

TEST(screen_cells, nothing_that_a_server_says_moves_the_cursor) {
  EXPECT_EQ(fitted("a\x1b[2Jb\r\nc\x07", 80, true).find_first_of("\x1b\r\n\x07"),
            std::string::npos);
  EXPECT_EQ(fitted("a\u009bb", 80, true), "a b") << "CSI of ISO 8859";
  EXPECT_EQ(fitted("a\u202eb", 80, true), "a b") << "reverses the direction";
  EXPECT_EQ(fitted("caf\u00e9", 80, false), "caf?");
}

TEST(screen_cells, a_huge_text_of_characters_without_a_column_is_bounded) {
  std::string accents = "a";
  for (int i = 0; i < 100'000; ++i)
    accents += "\u0301";
  EXPECT_LT(fitted(accents, 10, true).size(), 10'000U);
}

TEST(screen_cells, numbers_have_three_digits) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(0.1234), "0.123");
  EXPECT_EQ(short_number(1.239), "1.24");
  EXPECT_EQ(short_number(12.35), "12.3");
  EXPECT_EQ(short_number(1234.4), "1234");
  EXPECT_EQ(short_number(12'345), "12.3k");
  EXPECT_EQ(short_number(1.5e6), "1.5M");
  EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(screen_cells, times_are_written_like_a_clock) {
  EXPECT_EQ(time_text(7.9), "0:07");
  EXPECT_EQ(time_text(125), "2:05");
  EXPECT_EQ(time_text(3723), "1:02:03");
  EXPECT_EQ(time_text(-1), "0:00");
  EXPECT_EQ(time_text(std::numeric_limits<double>::infinity()), "?");
}

TEST(screen_cells, a_chart_shows_the_newest_values) {
  const std::vector<double> values{9, 0, 7, 3.5};
  EXPECT_EQ(chart_of(values, 3, false), "_#=");
  EXPECT_EQ(chart_of(values, 2, true), "\u2588\u2585");
  EXPECT_EQ(chart_of({}, 5, true), "");
  const std::vector<double> zeros{0, 0};
  EXPECT_EQ(chart_of(zeros, 5, false), "__");
}

TEST(screen_cells, a_bar_is_full_at_the_end_and_never_longer) {
  EXPECT_EQ(progress_bar_of(0.5, 6, false), "[##..]");
  EXPECT_EQ(progress_bar_of(7, 6, false), "[####]");
  EXPECT_EQ(progress_bar_of(-1, 6, false), "[....]");
  EXPECT_EQ(progress_bar_of(0.5, 2, false), "");
}

}  // namespace
}  // namespace reporters
