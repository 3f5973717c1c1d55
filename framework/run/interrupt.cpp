#include "run/interrupt.hpp"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/kept_terminal.hpp"
#include "plugin/breadcrumb.hpp"

namespace inferbench::run {

namespace {

bool is_ignored(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

interrupt::interrupt(base::log* log, limits bounds) : log_(log), limits_(bounds) {
  sigemptyset(&watched_);
  sigaddset(&watched_, SIGINT);
  sigaddset(&watched_, SIGTERM);
  // Do not block an ignored SIGHUP: sigwait() would receive it although it is ignored.
  if (!is_ignored(SIGHUP)) sigaddset(&watched_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &watched_, &before_);
  thread_ = std::thread([this] { receive(); });
}

interrupt::~interrupt() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  // The thread blocks SIGTERM, so the signal only makes its sigwait() return.
  // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread)
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
  // A duplicate that the thread has not received must not end the process when it is unblocked.
  constexpr timespec at_once{};
  while (is_duplicate(std::chrono::steady_clock::now()) &&
         ::sigtimedwait(&watched_, nullptr, &at_once) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void interrupt::hold() {
  const std::lock_guard lock(mutex_);
  hold_ = true;
}

bool interrupt::wait(std::chrono::nanoseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [&] { return came_; });
  return std::exchange(came_, false);
}

void interrupt::end_set_up() {
  if (!came()) return;
  std::ignore = wait(std::chrono::nanoseconds(0));
  throw base::error("stopped before the measurement began");
}

bool interrupt::is_duplicate(std::chrono::steady_clock::time_point at) const noexcept {
  return kept_ && at - kept_at_ < limits_.echo;
}

void interrupt::receive() {
  for (;;) {
    const int number = next_signal();
    const std::lock_guard lock(mutex_);
    if (over_) return;
    const auto now = std::chrono::steady_clock::now();
    if (is_duplicate(now)) continue;
    if (!std::exchange(hold_, false)) end_process(number);
    kept_at_ = now;
    came_ = true;
    kept_ = true;
    changed_.notify_all();
  }
}

/// Waits for a signal. After the kept signal, also names the calls that keep the run from ending.
int interrupt::next_signal() {
  for (;;) {
    int number = 0;
    if (!kept_) {
      if (::sigwait(&watched_, &number) == 0) return number;
      continue;
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits_.patience);
    const timespec most{seconds.count(),
                        std::chrono::nanoseconds(limits_.patience - seconds).count()};
    number = ::sigtimedwait(&watched_, nullptr, &most);
    if (number > 0) return number;
    if (errno == EAGAIN) name_blocked_calls();
  }
}

void interrupt::name_blocked_calls() {
  if (log_ == nullptr) return;
  for (const std::string& place : plugin::threads_in_plugins())
    if (named_.insert(place).second)
      log_->warning("the run does not end yet: a thread is inside " + place +
                    "; the next signal ends the process at once");
}

void interrupt::end_process(int number) {
  if (log_ != nullptr)
    for (const std::string& place : plugin::threads_in_plugins())
      if (!named_.contains(place)) log_->warning("stopped inside " + place);
  // release_at_once() restores the terminal only after the run has called log::hold(), but a
  // reporter may draw on the terminal before that call.
  base::restore_terminal();
  if (log_ != nullptr) log_->release_at_once();
  // Use the default action, so that the exit status shows the signal.
  std::signal(number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &watched_, nullptr);
  std::raise(number);
  std::abort();  // not reached: the default action of these signals ends the process
}

}  // namespace inferbench::run
