#include "run/interrupt.hpp"

#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace inferbench::run {

namespace {

bool is_ignored(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

interrupt::interrupt(std::chrono::milliseconds echo) : echo_(echo) {
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

void interrupt::receive() {
  for (;;) {
    int number = 0;
    if (sigwait(&watched_, &number) != 0) continue;
    const std::lock_guard lock(mutex_);
    if (over_) return;
    const auto now = std::chrono::steady_clock::now();
    if (kept_at_ != std::chrono::steady_clock::time_point{} && now - kept_at_ < echo_) continue;
    if (std::exchange(hold_, false)) {
      kept_at_ = now;
      came_ = true;
      kept_ = true;
      changed_.notify_all();
      continue;
    }
    // Use the default action, so that the exit status shows the signal.
    std::signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &watched_, nullptr);
    std::raise(number);
  }
}

}  // namespace inferbench::run
