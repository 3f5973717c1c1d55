#include "worker_thread.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace synthetic {

namespace {

// Blocks all signals, because a thread inherits the signal mask of the thread that starts it.
class no_signals {
 public:
  no_signals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  no_signals(const no_signals&) = delete;
  no_signals& operator=(const no_signals&) = delete;
  ~no_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

unsigned usual_threads() noexcept {
  return std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
}

std::thread start_worker(std::function<void()> body) {
  const no_signals here;
  return std::thread([body = std::move(body)] {
    // On Linux, the niceness belongs to a single thread.
    constexpr int politeness = 10;
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), politeness);
    body();
  });
}

}  // namespace synthetic
