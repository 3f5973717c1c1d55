#include "run/progress_views.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/clock.hpp"

namespace inferbench::run {
namespace {

using view = config::live_display::view;

/// A state after 10 s, for which there is a line.
live_state after_ten_seconds() {
  return {{.total = 100, .done = 10, .in_flight = 2, .elapsed_ns = 10 * base::ns_per_s}, 0.5};
}

/// The text on standard error, which is a pipe or a file here.
std::string drawn(const config::live_display& wanted, bool screen) {
  live_board board;
  testing::internal::CaptureStderr();
  progress_views views(wanted, screen, board);
  views.draw(after_ten_seconds());
  views.bar().end();
  EXPECT_EQ(board.read().progress.done, 10U) << "reporters get the state in any case";
  EXPECT_EQ(board.read().busiest_worker, 0.5);
  return testing::internal::GetCapturedStderr();
}

TEST(progress_views, write_lines_without_a_terminal_if_the_user_asked_for_the_progress) {
  EXPECT_EQ(drawn({.shown = view::line, .asked = true}, false),
            " 10% 10/100  1.0 req/s  2 in flight  0:10 < 1:30\n");
}

TEST(progress_views, write_nothing_that_the_user_did_not_ask_for) {
  EXPECT_EQ(drawn({.shown = view::line, .asked = false}, false), "");
  EXPECT_EQ(drawn({.shown = view::none, .asked = true}, false), "");
}

TEST(progress_views, leave_standard_error_to_a_reporter_that_draws_a_screen) {
  EXPECT_EQ(drawn({.shown = view::line, .asked = true}, true), "");
}

}  // namespace
}  // namespace inferbench::run
