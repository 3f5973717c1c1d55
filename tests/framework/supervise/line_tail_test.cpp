#include "supervise/line_tail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::supervise {
namespace {

TEST(line_tail, has_the_last_lines) {
  line_tail tail;
  EXPECT_EQ(tail.last(3), "");
  tail.add(stream::output, "a\nb\nc");
  tail.add(stream::output, "c\nd\n");
  EXPECT_EQ(tail.last(2), "cc\nd");
  EXPECT_EQ(tail.last(0), "");
  EXPECT_EQ(tail.last(9), "a\nb\ncc\nd");
}

TEST(line_tail, does_not_mix_the_lines_of_two_streams) {
  line_tail tail;
  tail.add(stream::output, "out ");
  tail.add(stream::error, "err\nerr ");
  tail.add(stream::output, "put\n");
  EXPECT_EQ(tail.last(9), "err\nout put\nerr ");
}

TEST(line_tail, has_the_last_text_of_a_progress_bar) {
  line_tail tail;
  tail.add(stream::error, "loading 1 %\rloading 2 %");
  EXPECT_EQ(tail.last(9), "loading 2 %");
  tail.add(stream::error, "\r");
  EXPECT_EQ(tail.last(9), "loading 2 %");
  tail.add(stream::error, "\nwindows\r");
  tail.add(stream::error, "\nready\n");
  EXPECT_EQ(tail.last(9), "loading 2 %\nwindows\nready");
}

TEST(line_tail, shows_no_bytes_that_disturb_a_terminal) {
  line_tail tail;
  tail.add(stream::error, "\x1b[31;1mred\x1b[0m\ttab\x07 \xff \x1b[");
  EXPECT_EQ(tail.last(1), "red tab  \xEF\xBF\xBD ");
}

TEST(line_tail, is_limited_in_bytes) {
  line_tail tail;
  for (int i = 0; i < 100'000; ++i)
    tail.add(stream::output, "line " + std::to_string(i) + "\n");
  EXPECT_LE(tail.last(1'000'000).size(), line_tail::most_bytes);
  EXPECT_THAT(tail.last(1'000'000), testing::EndsWith("\nline 99999"));
  // A line without an end keeps its last bytes.
  for (int i = 0; i < 1000; ++i)
    tail.add(stream::error, std::string(1000, 'x'));
  tail.add(stream::error, std::string(100'000, 'y') + "z");
  const std::string last = tail.last(1);
  EXPECT_LE(last.size(), line_tail::most_bytes);
  EXPECT_THAT(last, testing::EndsWith("yyz"));
  tail.add(stream::error, "\n" + std::string(10'000, '\xff') + "\n");
  EXPECT_LE(tail.last(1).size(), line_tail::most_bytes);
  EXPECT_THAT(tail.last(1), testing::StartsWith("\xEF\xBF\xBD"));
}

}  // namespace
}  // namespace inferbench::supervise
