#include "terminal.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "frame.hpp"
#include "terminal_codes.hpp"

namespace reporters {

namespace {

/// Whether the environment says that the terminal shows UTF-8. The locale of the process is the
/// host's, and is not asked or changed.
bool environment_has_utf8() {
  const locale_t found = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (found == nullptr) return false;
  const std::string_view set = ::nl_langinfo_l(CODESET, found);
  const bool out = set == "UTF-8";
  ::freelocale(found);
  return out;
}

/// NO_COLOR: no-color.org
bool wants_colours() {
  const char* plain = std::getenv("NO_COLOR");
  return plain == nullptr || *plain == '\0';
}

void write_all(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      // Another program made the terminal non-blocking. A terminal that shows nothing for a second
      // loses the picture.
      pollfd ready{STDERR_FILENO, POLLOUT, 0};
      constexpr int longest_ms = 1000;
      if (::poll(&ready, 1, longest_ms) == 0) return;
    } else if (written == 0 || errno != EINTR) {
      return;
    }
  }
}

/// Keys that the user presses must not appear in the picture. Returns the earlier settings; nullopt
/// if they were not changed: a background process that changes them is stopped.
std::optional<termios> without_echo() {
  termios before{};
  if (::tcgetpgrp(STDERR_FILENO) != ::getpgrp() || ::tcgetattr(STDERR_FILENO, &before) != 0)
    return std::nullopt;
  termios quiet = before;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHONL);
  if (::tcsetattr(STDERR_FILENO, TCSADRAIN, &quiet) != 0) return std::nullopt;
  return before;
}

}  // namespace

struct terminal::state {
  terminal_codes codes;
  bool utf8;
  std::optional<termios> settings;
  std::size_t columns = 0, rows = 0;  // of the last picture
};

bool terminal::exists() noexcept { return ::isatty(STDERR_FILENO) == 1; }

void terminal::open() {
  if (state_ != nullptr) return;
  auto made = std::make_unique<state>(
      state{codes_of_terminal(STDERR_FILENO, wants_colours()), environment_has_utf8(), {}});
  made->settings = without_echo();
  state_ = made.release();
  const terminal_codes& codes = state_->codes;
  write_all(codes.enter + codes.hide_cursor + codes.wrap_off);
}

screen_size terminal::size() const {
  screen_size out{state_->codes.columns, state_->codes.rows, state_->utf8};
  winsize found{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &found) == 0 && found.ws_col > 0 && found.ws_row > 0) {
    out.columns = found.ws_col;
    out.rows = found.ws_row;
  }
  if (state_->codes.wraps_at_once && out.columns > 1) --out.columns;
  return out;
}

void terminal::draw(std::span<const screen_line> lines, const screen_size& size) {
  std::string bytes;
  if (size.columns != state_->columns || size.rows != state_->rows) bytes = state_->codes.clear;
  state_->columns = size.columns;
  state_->rows = size.rows;
  write_all(bytes + frame_of(lines, size, state_->codes));
}

void terminal::close() noexcept {
  if (state_ == nullptr) return;
  const std::unique_ptr<state> ending(std::exchange(state_, nullptr));
  const terminal_codes& codes = ending->codes;
  // One after another, because joining them might throw.
  for (const std::string* each :
       {&codes.plain, &codes.clear, &codes.wrap_on, &codes.show_cursor, &codes.leave})
    write_all(*each);
  if (ending->settings) ::tcsetattr(STDERR_FILENO, TCSADRAIN, &*ending->settings);
}

}  // namespace reporters
