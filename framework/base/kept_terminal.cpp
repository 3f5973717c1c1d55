#include "base/kept_terminal.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include <termios.h>
#include <unistd.h>

namespace inferbench::base {

namespace {

// The sequences of xterm, which the terminals of today share. The end of the scroll region moves
// the cursor, so its position is saved and restored around it.
constexpr std::string_view usual_screen =
    "\x1b[?1049l\x1b"
    "7\x1b[r\x1b"
    "8\x1b[?7h\x1b[?25h\x1b[m\r";

struct terminal_before {
  int descriptor = -1;
  bool has_settings = false;
  termios settings{};
};
terminal_before remembered;  // written while `is_remembered` is false only
std::atomic<bool> is_remembered = false;

}  // namespace

void keep_terminal(int descriptor) {
  is_remembered.store(false, std::memory_order_release);
  remembered.descriptor = descriptor;
  remembered.has_settings = ::tcgetattr(descriptor, &remembered.settings) == 0;
  is_remembered.store(true, std::memory_order_release);
}

void restore_terminal() noexcept {
  if (!is_remembered.exchange(false, std::memory_order_acq_rel)) return;
  const int error = errno;
  // A process in the background that changes the settings would be stopped by SIGTTOU.
  sigset_t output;
  sigset_t before;
  ::sigemptyset(&output);
  ::sigaddset(&output, SIGTTOU);
  ::pthread_sigmask(SIG_BLOCK, &output, &before);
  [[maybe_unused]] const auto written =
      ::write(remembered.descriptor, usual_screen.data(), usual_screen.size());
  if (remembered.has_settings) ::tcsetattr(remembered.descriptor, TCSANOW, &remembered.settings);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
}

void forget_terminal() noexcept { is_remembered.store(false, std::memory_order_release); }

}  // namespace inferbench::base
