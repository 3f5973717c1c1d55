// Ctrl-C, SIGTERM and SIGHUP (the terminal is gone) as a question that main asks, instead of code
// that runs inside a signal handler. A thread of its own receives them, so that they work whatever
// main is waiting for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

namespace inferbench::run {

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread and those it starts afterwards; restores
/// what was there at the end. A SIGHUP that is ignored, as under nohup, stays ignored. One at a
/// time, in the main thread.
class interrupt {
 public:
  /// Until hold(), a signal ends the process at once: nothing is lost yet. A signal
  /// within `echo` of the one that was kept is the same wish heard twice: terminals,
  /// shells and `timeout` signal a process and its group.
  explicit interrupt(std::chrono::milliseconds echo = std::chrono::seconds(1));
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;
  ~interrupt();

  /// From now on the first signal is kept for wait(); the second ends the process at
  /// once, and with it whatever does not come to its end.
  void hold();

  /// Waits at most `limit`; true once, when the first signal has come.
  [[nodiscard]] bool wait(std::chrono::nanoseconds limit);

  /// Whether the first signal has come since hold(), told by wait() or not. Any thread.
  [[nodiscard]] bool came() const noexcept { return kept_; }

  /// Where it has come: throws the base::error of a run without a measurement, and wait()
  /// tells of it no more.
  void end_set_up();

 private:
  void receive();

  sigset_t watched_{};
  sigset_t before_{};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool hold_ = false;  // the next signal is to be kept
  bool came_ = false;
  bool over_ = false;
  std::atomic<bool> kept_ = false;
  std::chrono::milliseconds echo_;
  std::chrono::steady_clock::time_point kept_at_{};
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace inferbench::run
