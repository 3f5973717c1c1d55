// Makes Ctrl-C (SIGINT), SIGTERM and SIGHUP (the terminal is closed) available to the main thread
// as a flag, without a signal handler. A separate thread receives the signals, so that they take
// effect even while the main thread blocks.
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
/// Before hold(), every signal ends the process, because there are no results yet. After hold(),
/// the first signal is kept for wait(), so that the run can end in order; the next signal ends the
/// process.
///
/// The log names calls of plugins that still run: at once if a signal ends the process, and
/// otherwise every `patience` from the kept signal until this object is destroyed. Each call is
/// named once.
class interrupt {
 public:
  struct limits {
    // A signal that comes less than `echo` after the kept signal is a duplicate and is ignored:
    // terminals, shells and `timeout` can send the same signal to a process and to its group.
    std::chrono::milliseconds echo = std::chrono::seconds(1);
    std::chrono::milliseconds patience = std::chrono::seconds(5);
  };

  /// `log`: nullptr if running calls shall not be named; it must outlive this object. Throws
  /// std::system_error if the thread cannot be started.
  interrupt(base::log* log, limits bounds);
  explicit interrupt(base::log* log = nullptr) : interrupt(log, limits{}) {}
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;
  ~interrupt();

  /// After this call, the first signal is kept for wait(). The second signal that is not a
  /// duplicate ends the process immediately, even if the main thread hangs.
  void hold();

  /// Waits for the kept signal, but not longer than `limit`. Returns true if it has come, in one
  /// call only: later calls wait for `limit` and return false.
  [[nodiscard]] bool wait(std::chrono::nanoseconds limit);

  /// True if a signal has been kept, even if wait() has already returned true. Any thread.
  [[nodiscard]] bool came() const noexcept { return kept_; }
  /// The result of came() as a flag, for code that does not know this class. The flag is valid as
  /// long as this object.
  [[nodiscard]] const std::atomic<bool>& flag() const noexcept { return kept_; }

  /// If a signal has been kept, throws base::error("stopped before the measurement began"); wait()
  /// does not report this signal afterwards. Otherwise does nothing.
  void end_set_up();

 private:
  void receive();
  /// Returns whether a signal that came at `at` is a duplicate of the kept signal (limits::echo).
  [[nodiscard]] bool is_duplicate(std::chrono::steady_clock::time_point at) const noexcept;
  [[nodiscard]] int next_signal();
  void name_blocked_calls();
  [[noreturn]] void end_process(int number);

  base::log* log_;
  limits limits_;
  sigset_t watched_{};  // the signals that this object blocks and receives
  sigset_t before_{};   // the signal mask before this object
  std::mutex mutex_;
  std::condition_variable changed_;
  bool hold_ = false;               // keep the next signal
  bool came_ = false;               // a signal is kept, and wait() has not returned true for it
  bool over_ = false;               // the destructor has begun
  std::atomic<bool> kept_ = false;  // a signal is kept
  std::chrono::steady_clock::time_point kept_at_{};
  std::set<std::string> named_;  // the calls that the log has; used by thread_ only
  std::thread thread_;           // last member: it uses all members above
};

}  // namespace inferbench::run
