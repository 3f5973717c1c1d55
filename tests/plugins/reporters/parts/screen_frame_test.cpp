#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/plugin.hpp>

#include "reporters/screen/frame.hpp"

namespace reporters {
namespace {

using testing::HasSubstr;
using testing::Not;

terminal_codes codes_of_test() {
  terminal_codes out;
  out.place = "<%i%p1%d;%p2%d>";
  out.plain = "{plain}";
  out.bold = "{bold}";
  out.reverse = "{reverse}";
  out.green = "{green}";
  out.red = "{red}";
  out.clear_to_end = "{end}";
  return out;
}

TEST(screen_frame, characters_are_written_as_utf8_whatever_the_locale_of_the_process) {
  const std::vector<screen_line> lines{{{"\u2588\u00b7\u4e2d"}}};
  EXPECT_EQ(frame_of(lines, {10, 1, true}, codes_of_test()), "{plain}<1;1>\u2588\u00b7\u4e2d{end}");
}

TEST(screen_frame, each_line_has_its_place_and_the_rest_is_cleared) {
  const std::vector<screen_line> lines{{{"ab"}}, {{"cd", emphasis::strong}, {"e"}}};
  EXPECT_EQ(frame_of(lines, {10, 3, true}, codes_of_test()),
            "{plain}<1;1>ab{end}<2;1>{bold}cd{plain}e{end}<3;1>{end}");
}

TEST(screen_frame, the_last_character_of_a_full_line_is_not_cleared) {
  const std::vector<screen_line> lines{{{"a\u4e2d"}}};
  EXPECT_EQ(frame_of(lines, {3, 1, true}, codes_of_test()), "{plain}<1;1>a\u4e2d");
}

TEST(screen_frame, a_terminal_that_cannot_clear_a_line_gets_blanks) {
  terminal_codes codes = codes_of_test();
  codes.clear_to_end.clear();
  EXPECT_EQ(frame_of(std::vector<screen_line>{{{"ab"}}}, {4, 1, true}, codes), "{plain}<1;1>ab  ");
}

TEST(screen_frame, lines_beyond_the_screen_are_not_drawn) {
  const std::vector<screen_line> lines{{{"a"}}, {{"b"}}};
  EXPECT_THAT(frame_of(lines, {4, 1, true}, codes_of_test()), Not(HasSubstr("b")));
}

TEST(screen_frame, without_colours_a_fault_is_in_reverse) {
  terminal_codes codes = codes_of_test();
  const std::vector<screen_line> lines{{{"x", emphasis::bad}}};
  EXPECT_THAT(frame_of(lines, {9, 1, true}, codes), HasSubstr("{red}{bold}x{plain}"));
  codes.red.clear();
  EXPECT_THAT(frame_of(lines, {9, 1, true}, codes), HasSubstr("{reverse}{bold}x{plain}"));
}

class terminfo : public testing::Test {
 protected:
  static terminal_codes codes_of(const char* name, bool colours) {
    const char* const before = std::getenv("TERM");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("TERM", name, 1);
    const auto restore = [&] {
      if (before == nullptr)
        ::unsetenv("TERM");
      else
        ::setenv("TERM", kept.c_str(), 1);
    };
    try {
      terminal_codes out = codes_of_terminal(1, colours);
      restore();
      return out;
    } catch (...) {
      restore();
      throw;
    }
  }
};

TEST_F(terminfo, an_xterm_has_the_usual_sequences) {
  const terminal_codes codes = codes_of("xterm", true);
  EXPECT_THAT(codes.enter, HasSubstr("\x1b[?1049h"));
  EXPECT_THAT(codes.leave, HasSubstr("\x1b[?1049l"));
  EXPECT_EQ(place_cursor(codes, 1, 2), "\x1b[2;3H");
  EXPECT_EQ(codes.green, "\x1b[32m");
  EXPECT_FALSE(codes.wraps_at_once);
  EXPECT_EQ(codes_of("xterm", false).green, "");
}

TEST_F(terminfo, delays_of_a_vt100_are_left_out) {
  const terminal_codes codes = codes_of("vt100", true);
  EXPECT_EQ(place_cursor(codes, 0, 0), "\x1b[1;1H");
  EXPECT_EQ(codes.clear_to_end, "\x1b[K");
}

TEST_F(terminfo, a_terminal_that_cannot_be_drawn_on_is_refused_with_a_remedy) {
  EXPECT_THROW((void)codes_of("dumb", true), ifb::failure);
  EXPECT_THROW((void)codes_of("no-such-terminal", true), ifb::failure);
}

}  // namespace
}  // namespace reporters
