#include "base/kept_terminal.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

namespace inferbench::base {
namespace {

const std::string leaves_screen = "\x1b[?1049l";
const std::string shows_cursor = "\x1b[?25h";
const std::string ends_scroll_region = "\x1b[r";

// A terminal whose echo something has turned off, as a screen does.
class kept_terminal : public testing::Test {
 protected:
  kept_terminal() {
    if (::openpty(&other_side_, &terminal_, nullptr, nullptr, nullptr) != 0) std::abort();
  }
  ~kept_terminal() override {
    forget_terminal();
    ::close(terminal_);
    ::close(other_side_);
  }
  void echo(bool on) const {
    termios settings{};
    ASSERT_EQ(::tcgetattr(terminal_, &settings), 0);
    if (on)
      settings.c_lflag |= static_cast<tcflag_t>(ECHO);
    else
      settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ASSERT_EQ(::tcsetattr(terminal_, TCSANOW, &settings), 0);
  }
  [[nodiscard]] bool echoes() const {
    termios settings{};
    return ::tcgetattr(terminal_, &settings) == 0 && (settings.c_lflag & ECHO) != 0;
  }
  /// The text that was written to the terminal, with a mark at its end.
  [[nodiscard]] std::string written() const {
    EXPECT_EQ(::write(terminal_, "#", 1), 1);
    std::string out;
    char next = 0;
    while (::read(other_side_, &next, 1) == 1 && next != '#')
      out += next;
    return out;
  }

  int terminal_ = -1;
  int other_side_ = -1;
};

TEST_F(kept_terminal, gets_its_screen_cursor_and_echo_back_once) {
  echo(true);
  keep_terminal(terminal_);
  echo(false);
  restore_terminal();
  EXPECT_TRUE(echoes());
  const std::string first = written();
  for (const std::string& each : {leaves_screen, shows_cursor, ends_scroll_region})
    EXPECT_THAT(first, testing::HasSubstr(each));
  restore_terminal();
  EXPECT_EQ(written(), "");
}

TEST_F(kept_terminal, is_left_alone_after_it_is_forgotten) {
  echo(true);
  keep_terminal(terminal_);
  echo(false);
  forget_terminal();
  restore_terminal();
  EXPECT_FALSE(echoes());
  EXPECT_EQ(written(), "");
}

TEST_F(kept_terminal, without_settings_gets_the_sequences) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  keep_terminal(ends[1]);
  restore_terminal();
  ::close(ends[1]);
  std::string out(64, '\0');
  const auto got = ::read(ends[0], out.data(), out.size());
  ASSERT_GT(got, 0);
  out.resize(static_cast<std::size_t>(got));
  EXPECT_THAT(out, testing::StartsWith(leaves_screen));
  ::close(ends[0]);
}

}  // namespace
}  // namespace inferbench::base
