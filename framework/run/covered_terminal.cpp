#include "run/covered_terminal.hpp"

#include <unistd.h>

#include "base/error.hpp"
#include "base/kept_terminal.hpp"

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

void covered_terminal::remember() { base::keep_terminal(STDERR_FILENO); }

void covered_terminal::cover() { log_.hold(&base::restore_terminal); }

void covered_terminal::release() {
  base::forget_terminal();
  log_.release();
}

}  // namespace inferbench::run
