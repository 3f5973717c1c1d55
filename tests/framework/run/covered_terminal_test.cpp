#include "run/covered_terminal.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::run {
namespace {

using testing::HasSubstr;

std::string complaint_about_screen(const config::live_display& wanted, bool is_terminal,
                                   const std::string* term) {
  try {
    require_screen(wanted, is_terminal, term);
    return {};
  } catch (const base::error& e) {
    return e.what();
  }
}

TEST(covered_terminal, a_screen_needs_a_terminal_that_can_move_its_cursor) {
  const config::live_display screen{config::live_display::view::screen, true};
  const std::string xterm = "xterm";
  const std::string dumb = "dumb";
  const std::string none;
  EXPECT_EQ(complaint_about_screen(screen, true, &xterm), "");
  for (const std::string& why :
       {complaint_about_screen(screen, false, &xterm), complaint_about_screen(screen, true, &dumb),
        complaint_about_screen(screen, true, &none), complaint_about_screen(screen, true, nullptr)})
    EXPECT_THAT(why, HasSubstr("--live line"));
}

TEST(covered_terminal, a_line_needs_no_terminal) {
  EXPECT_EQ(complaint_about_screen({}, false, nullptr), "");
}

TEST(covered_terminal, lines_of_the_log_are_written_when_the_screen_is_gone_also_after_an_error) {
  std::vector<std::string> lines;
  base::log log(base::log_level::info,
                [&](base::log_level, std::string_view line) { lines.emplace_back(line); });
  try {
    covered_terminal terminal(log);
    log.info("before");
    terminal.cover();
    log.info("during");
    EXPECT_EQ(lines.size(), 1U);
    throw base::error("stopped");
  } catch (const base::error&) {
    EXPECT_EQ(lines, (std::vector<std::string>{"before", "during"}));
  }
}

}  // namespace
}  // namespace inferbench::run
