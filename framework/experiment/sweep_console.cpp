#include "experiment/sweep_console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.hpp"

namespace inferbench::experiment {

namespace {

std::size_t columns_of_terminal() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string_view parts_that_fit(std::string_view text, std::size_t columns) {
  if (text.size() <= columns) return text;
  for (std::size_t end = columns; end > 0; --end)
    if ((text[end] == ',' || text[end] == ';') && text.substr(end + 1).starts_with(' '))
      return text.substr(0, end);
  return text.substr(0, columns);
}

sweep_console::~sweep_console() {
  const std::lock_guard lock(mutex_);
  clear();
}

void sweep_console::line(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear();
  out_.write(text + "\n");
  out_.flush();
  draw();
}

void sweep_console::status(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!terminal_) {
    tell_(text + "\n");
    return;
  }
  clear();
  status_ = base::one_line(text);
  draw();
}

void sweep_console::pass_on(supervise::stream from, std::string_view text) {
  const std::lock_guard lock(mutex_);
  clear();
  supervise::pass_on(from, text);
  // A line that is not complete would be overwritten.
  if (text.ends_with('\n')) draw();
}

void sweep_console::clear() {
  if (drawn_) tell_("\r\x1b[K");
  drawn_ = false;
}

void sweep_console::draw() {
  if (status_.empty()) return;
  // A wrapped line could not be cleared.
  tell_(parts_that_fit(status_, columns_of_terminal() - 1));
  drawn_ = true;
}

}  // namespace inferbench::experiment
