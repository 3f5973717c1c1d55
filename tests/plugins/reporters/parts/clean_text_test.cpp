#include "reporters/common/clean_text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace {

using namespace std::string_literals;

TEST(clean_text, malformed_utf8_and_zero_bytes_are_replaced) {
  EXPECT_EQ(reporters::clean_text("a\xC3\xA9\n"s), "a\xC3\xA9\n");
  EXPECT_EQ(reporters::clean_text("\0\xFF\xE2\x82"s), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(reporters::clean_text(""), "");
}

TEST(clean_text, a_line_has_no_control_characters_and_may_be_cut) {
  EXPECT_EQ(reporters::clean_line("a\r\n\tb\x7F\xC2\x85\xE2\x80\xA8"
                                  "c"),
            "a   b   c");
  EXPECT_EQ(reporters::clean_line("\xC3\xA9\xC3\xA9\xC3\xA9", 5), "\xC3\xA9\xC3\xA9...");
  EXPECT_EQ(reporters::clean_line("abc", 3), "abc");
}

TEST(clean_text, times_are_utc_with_microseconds) {
  EXPECT_EQ(reporters::utc_text(1'795'156'200'000'001'999), "2026-11-20T06:30:00.000001Z");
  EXPECT_EQ(reporters::utc_text(-1), "1969-12-31T23:59:59.999999Z");
}

TEST(clean_text, milliseconds_are_exact) {
  const auto ms = [](std::int64_t ns) {
    std::string out;
    reporters::append_ms(out, ns);
    return out;
  };
  EXPECT_EQ(ms(0), "0");
  EXPECT_EQ(ms(12'500'000), "12.5");
  EXPECT_EQ(ms(-1), "-0.000001");
  EXPECT_EQ(ms(1'000'001), "1.000001");
  EXPECT_EQ(ms(std::numeric_limits<std::int64_t>::min()), "-9223372036854.775808");
}

TEST(clean_text, numbers_are_the_shortest_that_read_back) {
  std::string out;
  for (const double each : {0.1, 20.0, -1e300, std::numeric_limits<double>::infinity()}) {
    reporters::append_number(out, each);
    out += ' ';
  }
  EXPECT_EQ(out, "0.1 20 -1e+300 inf ");
}

}  // namespace
