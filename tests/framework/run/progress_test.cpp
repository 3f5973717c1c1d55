#include "run/progress.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::run {

TEST(clock_text, shows_hours_only_when_there_are_any) {
  EXPECT_EQ(clock_text(0), "0:00");
  EXPECT_EQ(clock_text(7), "0:07");
  EXPECT_EQ(clock_text(125), "2:05");
  EXPECT_EQ(clock_text(3723), "1:02:03");
}

TEST(progress_line, has_share_count_rate_in_flight_and_time_left) {
  EXPECT_EQ(progress_line({200, 50, 0, 8, 10'000'000'000}, 100),
            " 25% [##########..............................] 50/200  5.0 req/s  8 in flight  "
            "0:10 < 0:30");
}

TEST(progress_line, names_failures_when_there_are_any) {
  EXPECT_THAT(progress_line({10, 5, 2, 1, 1'000'000'000}, 200),
              ::testing::HasSubstr("  2 failed  "));
}

TEST(progress_line, does_not_guess_the_time_left_before_the_first_answer) {
  EXPECT_THAT(progress_line({10, 0, 0, 3, 1'000'000'000}, 200), ::testing::EndsWith("0:01 < ?"));
}

TEST(progress_line, leaves_the_bar_out_and_fits_a_narrow_terminal) {
  const std::string line = progress_line({200, 50, 0, 8, 10'000'000'000}, 30);
  EXPECT_EQ(line.find('['), std::string::npos);
  EXPECT_EQ(line.size(), 30U);
}

TEST(progress_line, shows_the_time_if_the_number_of_requests_is_not_known) {
  EXPECT_EQ(progress_line({UINT64_MAX, 50, 0, 8, 10'000'000'000, 40'000'000'000}, 100),
            " 25% [##########..............................] 50  5.0 req/s  8 in flight  "
            "0:10 < 0:30");
  EXPECT_THAT(progress_line({UINT64_MAX, 150, 0, 2, 41'000'000'000, 40'000'000'000}, 100),
              ::testing::AllOf(::testing::HasSubstr("100% "), ::testing::EndsWith("0:41 < 0:00")));
}

TEST(progress_line, with_a_number_and_a_time_follows_what_ends_first) {
  // 100 of 200 requests in 10 s: the other half takes 10 s, and the time is over after 5 s.
  EXPECT_THAT(progress_line({200, 100, 0, 8, 10'000'000'000, 15'000'000'000}, 100),
              ::testing::AllOf(::testing::HasSubstr(" 67% "), ::testing::HasSubstr(" 100/200 "),
                               ::testing::EndsWith("0:10 < 0:05")));
  EXPECT_THAT(progress_line({200, 100, 0, 8, 10'000'000'000, 60'000'000'000}, 100),
              ::testing::AllOf(::testing::HasSubstr(" 50% "), ::testing::EndsWith("0:10 < 0:10")));
}

TEST(progress_line, survives_a_run_of_nothing) {
  EXPECT_THAT(progress_line({0, 0, 0, 0, 0}, 80), ::testing::HasSubstr("0/0"));
}

TEST(countdown_line, has_the_elapsed_and_the_remaining_time) {
  EXPECT_EQ(countdown_line(15'000'000'000, 60'000'000'000, 60),
            "[##########..............................] 0:15 < 0:45");
  EXPECT_EQ(countdown_line(99'000'000'000, 60'000'000'000, 30), "[################] 1:00 < 0:00");
  EXPECT_EQ(countdown_line(0, 0, 12), " 0:00 < 0:00");
}

TEST(progress_lines, come_after_every_ten_seconds_of_the_run) {
  std::vector<std::string> lines;
  progress_lines out([&](std::string_view line) { lines.emplace_back(line); });
  constexpr std::uint64_t second = 1'000'000'000;
  for (std::uint64_t at = 0; at <= 35 * second; at += second / 2)
    out.draw({.total = 100, .done = at / second, .in_flight = 2, .elapsed_ns = at});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], " 10% 10/100  1.0 req/s  2 in flight  0:10 < 1:30");
  progress_lines none({});
  none.draw({.elapsed_ns = 60 * second});
}

}  // namespace inferbench::run
