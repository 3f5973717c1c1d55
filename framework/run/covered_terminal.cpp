#include "run/covered_terminal.hpp"

#include <string_view>

#include <termios.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::run {

void require_screen(const config::live_display& wanted, bool is_terminal, const std::string* term) {
  if (wanted.shown != config::live_display::view::screen) return;
  constexpr const char* remedy = "use --live line";
  if (!is_terminal)
    throw base::error("--live screen needs a terminal, and standard error is not one", remedy);
  if (term == nullptr || term->empty())
    throw base::error("--live screen needs the name of the terminal, and $TERM is not set", remedy);
  if (*term == "dumb")
    throw base::error("--live screen needs a terminal that can move its cursor, and $TERM is dumb",
                      remedy);
}

void covered_terminal::cover() {
  termios before{};
  const bool known = ::tcgetattr(STDERR_FILENO, &before) == 0;
  log_.hold([before, known] {
    // Leave the alternate screen, show the cursor, and end all attributes: the sequences of xterm,
    // which the terminals of today share.
    constexpr std::string_view normal = "\x1b[?1049l\x1b[?25h\x1b[m\r";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, normal.data(), normal.size());
    if (known) ::tcsetattr(STDERR_FILENO, TCSANOW, &before);
  });
}

}  // namespace inferbench::run
