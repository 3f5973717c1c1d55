// Makes Ctrl-C, SIGTERM and SIGHUP (the terminal is closed) available to main as a flag, without a
// signal handler. A separate thread receives the signals, so that they take effect even while main
// blocks.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "base/log.hpp"

namespace inferbench::run {

/// Blocks SIGINT, SIGTERM and SIGHUP in the calling thread and in threads that it starts
/// afterwards; the destructor restores the signal mask. If SIGHUP is ignored, as under nohup, it
/// stays ignored. Create it in the main thread; only one object may exist at a time.
///
/// Calls of plugins that block are named in the log: at once if a signal ends the process, and
/// otherwise `patience` after the kept signal and after each further `patience`, as long as this
/// object exists. Every call is named once.
class interrupt {
 public:
  struct limits {
    // A signal that comes less than this time after the kept signal is a duplicate and is ignored:
    // terminals, shells and `timeout` send a signal to a process and to its group.
    std::chrono::milliseconds echo = std::chrono::seconds(1);
    std::chrono::milliseconds patience = std::chrono::seconds(5);
  };

  /// Before hold(), a signal ends the process immediately, because there are no results yet. `log`:
  /// nullptr if blocked calls shall not be named; it must outlive this object.
  interrupt(base::log* log, limits bounds);
  explicit interrupt(base::log* log = nullptr) : interrupt(log, limits{}) {}
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;
  ~interrupt();

  /// After this call, the first signal is kept for wait(). The second signal ends the process
  /// immediately, even if it hangs.
  void hold();

  /// Waits for the first signal, but not longer than `limit`. Returns true if it has come, but only
  /// in one call.
  [[nodiscard]] bool wait(std::chrono::nanoseconds limit);

  /// True if a signal has come since hold(), even if wait() has already returned true. Any thread.
  [[nodiscard]] bool came() const noexcept { return kept_; }
  /// The same as a flag for code that does not know this class; valid as long as this object.
  [[nodiscard]] const std::atomic<bool>& flag() const noexcept { return kept_; }

  /// If a signal has come, throws base::error for a run that was stopped before the measurement;
  /// wait() does not report this signal afterwards. Otherwise does nothing.
  void end_set_up();

 private:
  void receive();
  /// Whether a signal that came at `at` repeats the kept signal.
  [[nodiscard]] bool is_duplicate(std::chrono::steady_clock::time_point at) const noexcept;
  [[nodiscard]] int next_signal();
  void name_blocked_calls();
  [[noreturn]] void end_process(int number);

  base::log* log_;
  limits limits_;
  sigset_t watched_{};
  sigset_t before_{};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool hold_ = false;  // keep the next signal
  bool came_ = false;
  bool over_ = false;
  std::atomic<bool> kept_ = false;
  std::chrono::steady_clock::time_point kept_at_{};
  std::set<std::string> named_;  // the calls that the log has; used by thread_ only
  std::thread thread_;           // last member: it uses all members above
};

}  // namespace inferbench::run
