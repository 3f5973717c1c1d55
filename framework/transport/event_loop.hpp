// One thread's sockets and timers over epoll: the client's workers, the simulator and a one-shot
// fetch each own one loop. All calls come from the thread that runs it, except wake() and stop().
//
// Readiness is level-triggered: a watcher reads once for each call and is called again while bytes
// are left. So a busy connection cannot starve other connections, and wake-ups cannot be lost. (If
// `events` contains EPOLLET, it is passed to the kernel.) EPOLLERR and EPOLLHUP are always
// reported.
//
// Time: the clock is read once, right after the kernel has returned a batch of ready descriptors.
// All watchers of the batch get this stamp. If kernel stamps are wanted, received bytes get the
// kernel's stamp instead: see receive(). Without kernel stamps, a byte that arrives while the batch
// is being processed gets the batch's stamp. This stamp is too early by at most the time that the
// batch has taken so far. For this reason batches are small.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/histogram.hpp"
#include "transport/callback.hpp"
#include "transport/kernel_stamps.hpp"
#include "transport/timer.hpp"

namespace inferbench::transport {

/// An object that the loop calls when a descriptor is ready. The caller of add() owns it, and must
/// remove it from the loop before it is destroyed.
class watcher {
 public:
  /// The loop calls this when the descriptor is ready. `epoll_events` contains EPOLLIN, EPOLLOUT,
  /// EPOLLERR, EPOLLHUP and others. `stamp`: see the top of this file. This function may add,
  /// modify and remove any watcher, including itself. A removed watcher is not called, even if it
  /// has a pending event in the same batch. This function may arm and cancel timers, and destroy
  /// watchers that it has removed. It must not call run_once().
  virtual void on_ready(std::uint32_t epoll_events, std::uint64_t stamp) = 0;

 protected:
  watcher() = default;
  watcher(const watcher&) = default;
  watcher& operator=(const watcher&) = default;
  ~watcher() = default;
};

struct event_loop_options {
  std::size_t batch = 64;                            // the most ready descriptors in one batch
  std::size_t scratch_bytes = 256 * 1024;            // see event_loop::scratch()
  base::stamping stamping = base::stamping::client;  // see event_loop::receive()
};

class event_loop {
 public:
  /// `clock` is used for stamps and deadlines and must outlive the loop. The wait for a deadline
  /// uses CLOCK_MONOTONIC; with a clock of another origin (tests) only run_once(false) works.
  /// Throws base::error if the system grants no descriptors.
  explicit event_loop(const base::clock& clock, const event_loop_options& options = {});
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;
  ~event_loop();

  /// Starts to watch `fd`. Returns false, with errno set, if the kernel refuses (ENOMEM, ENOSPC,
  /// EPERM).
  [[nodiscard]] bool add(int fd, std::uint32_t events, watcher& who) noexcept;
  /// Changes the watched events. `fd` must have been added for `who`.
  void modify(int fd, std::uint32_t events, watcher& who) noexcept;
  /// Call this before `fd` is closed. Afterwards `who` is not called any more, not even for an
  /// event that is pending in the current batch.
  void remove(int fd, watcher& who) noexcept;

  /// `deadline` is a time of the loop's clock. If it is in the past, the timer fires in the next
  /// batch or earlier. The precision is below a millisecond (timerfd, absolute, no slack).
  /// timer_queue describes the order of timers and the allowed calls in callbacks.
  void arm(timer& t, std::uint64_t deadline) { timers_.arm(t, deadline); }
  void cancel(timer& t) noexcept { timers_.cancel(t); }

  /// Processes one batch. If `wait` is true, waits for an event; otherwise takes only the events
  /// that are already pending. Fires the due timers first. After that, calls the watchers, and
  /// checks the timers again every few watchers. Returns the number of watchers and timers called;
  /// 0 after a signal or a wake-up.
  std::size_t run_once(bool wait);
  /// Processes batches until stop().
  void run();
  /// [any thread] Makes run() return after the batch in progress. If run() is called later, it
  /// returns immediately.
  void stop() noexcept;
  /// [any thread] Makes run_once(true) return, after it has called the handler of on_wake().
  /// Several calls of wake() may cause only one call of the handler. All earlier writes of the
  /// calling thread are visible to the handler.
  void wake() noexcept;
  void on_wake(callback<void()> handler) noexcept { wake_handler_ = handler; }

  /// From now on, a value is added to `lag` for each ready descriptor: how long it may have waited
  /// before it got its stamp, in ns. This is the time of the previous batch, or 0 if the loop was
  /// waiting. nullptr ends this. The counters below start again at 0.
  void observe(base::histogram* lag) noexcept;
  /// The number of batches since observe(), and of full batches. After a full batch, more
  /// descriptors may be ready.
  [[nodiscard]] std::uint64_t turns() const noexcept { return turns_; }
  [[nodiscard]] std::uint64_t full_batches() const noexcept { return full_batches_; }
  /// Since observe(): the number of times when the loop did not check its descriptors for more than
  /// 10 ms, and the longest such time, ns.
  [[nodiscard]] std::uint64_t standstills() const noexcept { return standstills_; }
  [[nodiscard]] std::uint64_t longest_standstill() const noexcept { return longest_standstill_; }

  [[nodiscard]] const base::clock& clock() const noexcept { return clock_; }
  /// The stamp of the current or latest batch; 0 before the first batch.
  [[nodiscard]] std::uint64_t stamp() const noexcept { return stamp_; }
  /// A time at which the ready descriptors of the current batch were not ready, if all their
  /// earlier bytes had been read. So their new bytes came after this time. While the loop is
  /// observed, it checks its descriptors at least every 0.2 ms, so this time is recent unless the
  /// thread was prevented from running.
  [[nodiscard]] std::uint64_t quiet_at() const noexcept { return quiet_at_; }
  /// Whether kernel stamps should be enabled on sockets.
  [[nodiscard]] bool wants_kernel_stamps() const noexcept { return kernel_.has_value(); }
  /// A recv() without flags. Returns the kernel's stamp if kernel stamps are wanted and possible,
  /// otherwise the stamp of the batch.
  [[nodiscard]] received receive(int socket, std::span<char> into) noexcept {
    if (kernel_) return kernel_->receive(socket, into, stamp_);
    return {::recv(socket, into.data(), into.size(), 0), stamp_, false};
  }
  /// One read buffer for all watchers of this loop. Bytes that a watcher reads into it are valid
  /// until the watcher returns. With a separate buffer for each connection, 10,000 connections
  /// would need 10,000 times the memory.
  [[nodiscard]] std::span<char> scratch() noexcept { return {scratch_.get(), scratch_size_}; }

 private:
  [[nodiscard]] bool prepare_wait() noexcept;
  [[nodiscard]] int look(bool wait) noexcept;
  void note_quiet(std::uint64_t asked, int got, bool waited) noexcept;
  void note_standstill(std::uint64_t asked) noexcept;
  void note_lag(std::uint64_t asked) noexcept;

  const base::clock& clock_;
  base::fd epoll_;
  base::fd timer_fd_;
  base::fd wake_fd_;
  timer_queue timers_;
  std::uint64_t timer_set_ = timer_queue::never;  // the time at which timer_fd_ will signal
  std::vector<epoll_event> ready_;
  std::size_t at_ = 0;  // ready_[at_, count_) is the part of the batch that is still to be
                        // processed
  std::size_t count_ = 0;
  std::uint64_t stamp_ = 0;
  std::uint64_t previous_ = 0;  // the stamp of the previous batch
  std::uint64_t asked_ = 0;     // the time before the kernel was called for the batch
  std::uint64_t quiet_at_ = 0;
  std::uint64_t quiet_next_ = 0;  // becomes quiet_at_ in the next batch
  base::histogram* lag_ = nullptr;
  std::uint64_t standstills_ = 0;
  std::uint64_t longest_standstill_ = 0;
  std::uint64_t turns_ = 0;
  std::uint64_t full_batches_ = 0;
  callback<void()> wake_handler_;
  std::atomic<bool> woken_ = false;
  std::atomic<bool> stop_ = false;
  std::optional<kernel_stamps> kernel_;
  bool short_waits_ = true;  // the system supports epoll_pwait2()
  std::unique_ptr<char[]> scratch_;
  std::size_t scratch_size_;
};

}  // namespace inferbench::transport
