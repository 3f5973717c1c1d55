#include "run/progress_views.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include <unistd.h>

namespace inferbench::run {

namespace {

bool wants_bar(const config::live_display& wanted, bool screen) {
  return wanted.shown == config::live_display::view::line && !screen;
}

/// Writes lines about the progress; empty if there are no such lines.
std::function<void(std::string_view)> line_writer(const config::live_display& wanted, bool screen) {
  if (!wants_bar(wanted, screen) || !wanted.asked || ::isatty(STDERR_FILENO) == 1) return {};
  return [](std::string_view text) {
    const std::string whole = std::string(text) + '\n';
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, whole.data(), whole.size());
  };
}

}  // namespace

bool draws_screen(const reporting& reporters) {
  return ::isatty(STDERR_FILENO) == 1 &&
         std::ranges::any_of(reporters.targets(), &report::target::live);
}

progress_views::progress_views(const config::live_display& wanted, bool screen, live_board& board)
    : bar_(wants_bar(wanted, screen)), lines_(line_writer(wanted, screen)), board_(board) {}

void progress_views::draw(const live_state& now) {
  bar_.draw(now.progress);
  lines_.draw(now.progress);
  board_.put(now);
}

}  // namespace inferbench::run
