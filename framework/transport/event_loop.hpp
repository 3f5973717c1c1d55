// One thread's sockets and timers over epoll: the client's workers, the simulator and a one-shot
// fetch each own one loop. All calls come from the thread that runs it, except wake() and stop().
//
// Readiness is level-triggered: a watcher reads once per call and is called again as long as bytes
// are left, so that one busy connection cannot starve the others and no wake-up can be lost.
// (EPOLLET in `events` is passed on.) EPOLLERR and EPOLLHUP are always reported.
//
// Time: the clock is read once, right after the kernel has handed over a batch of ready
// descriptors; all watchers of the batch get this stamp. If kernel stamps are wanted, received
// bytes get the kernel's stamp instead: see receive(). Without kernel stamps, a byte that arrives
// while the batch is being processed carries the batch's stamp, which is early by at most the time
// that the batch has taken so far; batches are kept small for that reason.
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

/// Is called when its descriptor is ready. Must be removed before it is destroyed; the object that
/// adds it owns it.
class watcher {
 public:
  /// `epoll_events`: EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP... `stamp`: see above.
  /// May add, modify and remove any watcher, including itself and watchers with a pending event in
  /// the same batch, which are then not called. May arm and cancel timers, and destroy watchers
  /// that it has removed. Must not call run_once().
  virtual void on_ready(std::uint32_t epoll_events, std::uint64_t stamp) = 0;

 protected:
  watcher() = default;
  watcher(const watcher&) = default;
  watcher& operator=(const watcher&) = default;
  ~watcher() = default;
};

struct event_loop_options {
  std::size_t batch = 64;                            // most ready descriptors taken at once
  std::size_t scratch_bytes = 256 * 1024;            // see event_loop::scratch()
  base::stamping stamping = base::stamping::client;  // see event_loop::receive()
};

class event_loop {
 public:
  /// `clock` gives stamps and deadlines and must outlive the loop. The wait for a deadline uses
  /// CLOCK_MONOTONIC; with a clock of another origin (tests) only run_once(false) works. Throws
  /// base::error if the system grants no descriptors.
  explicit event_loop(const base::clock& clock, const event_loop_options& options = {});
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;
  ~event_loop();

  /// False, with errno set, if the kernel refuses (ENOMEM, ENOSPC, EPERM).
  [[nodiscard]] bool add(int fd, std::uint32_t events, watcher& who) noexcept;
  /// `fd` was added for `who`.
  void modify(int fd, std::uint32_t events, watcher& who) noexcept;
  /// Call this before `fd` is closed. Afterwards `who` is not called any more, not even for an
  /// event that is pending in the current batch.
  void remove(int fd, watcher& who) noexcept;

  /// `deadline` is a time of the loop's clock; a deadline in the past fires at the next
  /// opportunity. Sub-millisecond precision (timerfd, absolute, no slack). See timer_queue for the
  /// order and for what callbacks may do.
  void arm(timer& t, std::uint64_t deadline) { timers_.arm(t, deadline); }
  void cancel(timer& t) noexcept { timers_.cancel(t); }

  /// Processes one batch: waits for it if `wait`, otherwise takes the events that are there. Fires
  /// the due timers first, then calls the watchers and checks the timers again every few watchers.
  /// Returns the number of watchers and timers called; 0 after a signal or a wake-up.
  std::size_t run_once(bool wait);
  /// Processes batches until stop().
  void run();
  /// [any thread] Makes run() return after the batch in progress, or at once if run() is called
  /// later.
  void stop() noexcept;
  /// [any thread] Makes run_once(true) return, after it has called the handler of on_wake().
  /// Several wakes before the loop notices count as one. Everything that the calling thread wrote
  /// before is visible to the handler.
  void wake() noexcept;
  void on_wake(callback<void()> handler) noexcept { wake_handler_ = handler; }

  /// From now on `lag` gets, for each ready descriptor, how long the descriptor may have waited
  /// before it was stamped, ns: the time that the previous batch took, or 0 if the loop was
  /// waiting. nullptr: stops that. Turns count from here.
  void observe(base::histogram* lag) noexcept;
  /// Batches since observe(), and how many were full, so that more descriptors were ready.
  [[nodiscard]] std::uint64_t turns() const noexcept { return turns_; }
  [[nodiscard]] std::uint64_t full_batches() const noexcept { return full_batches_; }
  /// How often since observe() two looks at the descriptors were more than 10 ms apart, and the
  /// longest such time, ns.
  [[nodiscard]] std::uint64_t standstills() const noexcept { return standstills_; }
  [[nodiscard]] std::uint64_t longest_standstill() const noexcept { return longest_standstill_; }

  [[nodiscard]] const base::clock& clock() const noexcept { return clock_; }
  /// The stamp of the current or latest batch; 0 before the first.
  [[nodiscard]] std::uint64_t stamp() const noexcept { return stamp_; }
  /// If a ready descriptor of the current batch was read to its end before, it was not ready at
  /// this time: its new bytes came later. While the loop is observed, it looks at its descriptors
  /// at least every 0.2 ms, so this time is recent unless the thread was prevented from running.
  [[nodiscard]] std::uint64_t quiet_at() const noexcept { return quiet_at_; }
  /// Whether sockets are to be asked for kernel stamps.
  [[nodiscard]] bool wants_kernel_stamps() const noexcept { return kernel_.has_value(); }
  /// A recv() without flags, stamped by the kernel if that is wanted and possible.
  [[nodiscard]] received receive(int socket, std::span<char> into) noexcept {
    if (kernel_) return kernel_->receive(socket, into, stamp_);
    return {::recv(socket, into.data(), into.size(), 0), stamp_, false};
  }
  /// One read buffer for all watchers of this loop: bytes that a watcher reads into it are valid
  /// until the watcher returns. A buffer per connection would need 10,000 times the memory.
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
  std::size_t at_ = 0;  // ready_[at_, count_): the part of the batch still to be processed
  std::size_t count_ = 0;
  std::uint64_t stamp_ = 0;
  std::uint64_t previous_ = 0;  // the stamp of the previous batch
  std::uint64_t asked_ = 0;     // the clock before the kernel was asked for the batch
  std::uint64_t quiet_at_ = 0;
  std::uint64_t quiet_next_ = 0;  // quiet_at_ of the next batch
  base::histogram* lag_ = nullptr;
  std::uint64_t standstills_ = 0;
  std::uint64_t longest_standstill_ = 0;
  std::uint64_t turns_ = 0;
  std::uint64_t full_batches_ = 0;
  callback<void()> wake_handler_;
  std::atomic<bool> woken_ = false;
  std::atomic<bool> stop_ = false;
  std::optional<kernel_stamps> kernel_;
  bool short_waits_ = true;  // the system knows epoll_pwait2()
  std::unique_ptr<char[]> scratch_;
  std::size_t scratch_size_;
};

}  // namespace inferbench::transport
