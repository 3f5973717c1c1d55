// One thread's sockets and timers over epoll: the worker of the client, the
// simulator and a one-shot fetch each own one. All calls come from the thread that
// runs it, except wake() and stop().
//
// Readiness is level-triggered: a watcher reads once per call and is called again
// as long as something is left, so that one busy connection cannot starve the
// others and no wake-up can be lost. (EPOLLET in `events` is passed on for those
// who know better.) EPOLLERR and EPOLLHUP come unasked.
//
// Time: the clock is read once, right after the kernel has handed over a batch of
// ready descriptors; this one stamp goes to every watcher of the batch, before any
// of them has worked. Bytes of sockets get the kernel's stamp instead, where that is wanted:
// receive(). Without it a byte that arrives while the batch is being worked through carries the
// stamp of its batch, and is early by at most the time the batch has taken so far; batches are kept
// small for that reason.
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

/// Is told when its descriptor is ready. Owned by whoever added it, and must be
/// removed before it dies.
class watcher {
 public:
  /// `epoll_events`: EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP... `stamp`: see above.
  /// May add, modify and remove any watcher (its own too, and one whose event is
  /// pending in the same batch: it is then not called), arm and cancel timers, and
  /// destroy what it has removed. Must not call run_once().
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
  /// `clock` gives stamps and deadlines and must outlive the loop. Waiting for a
  /// deadline is done by CLOCK_MONOTONIC; with a clock of another origin (tests)
  /// only run_once(false) is of use. Throws base::error when the system grants no
  /// descriptors.
  explicit event_loop(const base::clock& clock, const event_loop_options& options = {});
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;
  ~event_loop();

  /// False, with errno set, when the kernel refuses (ENOMEM, ENOSPC, EPERM).
  [[nodiscard]] bool add(int fd, std::uint32_t events, watcher& who) noexcept;
  /// `fd` was added for `who`.
  void modify(int fd, std::uint32_t events, watcher& who) noexcept;
  /// Call it before closing `fd`. Afterwards `who` is not called any more, not even
  /// for an event that is pending in the current batch.
  void remove(int fd, watcher& who) noexcept;

  /// `deadline` is a time of the loop's clock; one that has passed fires at the next
  /// opportunity. Sub-millisecond precise (timerfd, absolute, no slack). See
  /// timer_queue for order and for what callbacks may do.
  void arm(timer& t, std::uint64_t deadline) { timers_.arm(t, deadline); }
  void cancel(timer& t) noexcept { timers_.cancel(t); }

  /// One batch: waits for it if `wait`, else takes what is there. Fires the timers
  /// that are due first, then calls the watchers, looking at the timers again every
  /// few of them. Answers how many watchers and timers were called; 0 after a signal
  /// or a wake-up.
  std::size_t run_once(bool wait);
  /// Batches until stop().
  void run();
  /// [any thread] run() returns after the batch in progress. A stop() that comes
  /// before run() counts.
  void stop() noexcept;
  /// [any thread] run_once(true) returns, after calling what on_wake() was given.
  /// Several wakes before the loop notices are one. What the calling thread wrote
  /// before is visible to the handler.
  void wake() noexcept;
  void on_wake(callback<void()> handler) noexcept { wake_handler_ = handler; }

  /// From here on `lag` is given, for each ready descriptor, how long the loop may have
  /// been blind to it before it was stamped, ns: the time that the batch before took, or
  /// 0 where the loop was waiting for it. nullptr: for nobody. Turns count from here.
  void observe(base::histogram* lag) noexcept;
  /// Batches since observe(), and those of them that were full, so that more was ready.
  [[nodiscard]] std::uint64_t turns() const noexcept { return turns_; }
  [[nodiscard]] std::uint64_t full_batches() const noexcept { return full_batches_; }
  /// How often since observe() more than 10 ms lay between two looks at the descriptors, and the
  /// longest such time, ns.
  [[nodiscard]] std::uint64_t standstills() const noexcept { return standstills_; }
  [[nodiscard]] std::uint64_t longest_standstill() const noexcept { return longest_standstill_; }

  [[nodiscard]] const base::clock& clock() const noexcept { return clock_; }
  /// The stamp of the current or latest batch; 0 before the first.
  [[nodiscard]] std::uint64_t stamp() const noexcept { return stamp_; }
  /// A ready descriptor of the current batch that was read to its end before was not ready at this
  /// time: what is there now came later. While the loop is observed it looks at its descriptors
  /// every 0.2 ms at the latest, so this is recent unless the thread was kept from running.
  [[nodiscard]] std::uint64_t quiet_at() const noexcept { return quiet_at_; }
  /// Sockets are to be asked for stamps of the kernel.
  [[nodiscard]] bool wants_kernel_stamps() const noexcept { return kernel_.has_value(); }
  /// A recv() without flags, stamped by the kernel where that is wanted and it can.
  [[nodiscard]] received receive(int socket, std::span<char> into) noexcept {
    if (kernel_) return kernel_->receive(socket, into, stamp_);
    return {::recv(socket, into.data(), into.size(), 0), stamp_, false};
  }
  /// One read buffer for all watchers of this loop: what a watcher reads into it is
  /// valid until it returns. A buffer per connection would be 10,000 times this.
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
  std::uint64_t timer_set_ = timer_queue::never;  // what timer_fd_ is going to signal
  std::vector<epoll_event> ready_;
  std::size_t at_ = 0;  // the batch: ready_[at_, count_) is still to be called
  std::size_t count_ = 0;
  std::uint64_t stamp_ = 0;
  std::uint64_t previous_ = 0;  // the stamp of the batch before
  std::uint64_t asked_ = 0;     // the clock before the kernel was asked for it
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
