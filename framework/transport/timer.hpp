// Timers with absolute deadlines in nanoseconds, and the queue that orders them. A timer is a
// member of the object that it calls; the queue has a pointer to the timer. Only the thread that
// runs the event loop uses timers and queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/callback.hpp"

namespace inferbench::transport {

class timer_queue;

/// A timer cannot be copied or moved. Its destructor cancels it.
class timer {
 public:
  /// `now` is the time when the timer fired, at or after the deadline. The difference is the delay
  /// of the loop.
  using action = callback<void(std::uint64_t now)>;

  explicit timer(action what) noexcept : action_(what) {}
  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;
  ~timer();

  [[nodiscard]] bool armed() const noexcept { return queue_ != nullptr; }
  /// The deadline of the latest arm(); 0 before the first arm().
  [[nodiscard]] std::uint64_t deadline() const noexcept { return deadline_; }

 private:
  friend class timer_queue;
  action action_;
  timer_queue* queue_ = nullptr;  // null while not armed
  std::uint64_t deadline_ = 0;
  std::size_t place_ = 0;  // index in the queue's heap
};

/// A 4-ary heap of pointers. arm() and cancel() take O(log n). Memory is allocated only if the
/// number of armed timers reaches a new maximum.
class timer_queue {
 public:
  static constexpr std::uint64_t never = UINT64_MAX;

  /// The deadline that is `limit` after `from`; a limit of 0 means never.
  [[nodiscard]] static constexpr std::uint64_t after(std::uint64_t from,
                                                     std::uint64_t limit) noexcept {
    return limit == 0 || limit > never - from ? never : from + limit;
  }

  timer_queue() = default;
  timer_queue(const timer_queue&) = delete;
  timer_queue& operator=(const timer_queue&) = delete;
  ~timer_queue();  // disarms the remaining timers

  /// Arms the timer, or moves its deadline. Timers with equal deadlines fire in the order in which
  /// they were armed.
  void arm(timer& t, std::uint64_t deadline);
  /// Disarms the timer. Has no effect on a timer that is not armed.
  void cancel(timer& t) noexcept;

  /// The earliest deadline; `never` if no timer is armed.
  [[nodiscard]] std::uint64_t next() const noexcept {
    return heap_.empty() ? never : heap_.front().deadline;
  }
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

  /// Fires the timers that are due at `now`, earliest first. Each timer is disarmed before its
  /// callback is called. A callback may arm, cancel and destroy any timer, including its own. A
  /// timer that is armed by a callback waits for the next call of fire(), even if it is already
  /// due. So a timer that arms itself again in the past does not starve other timers. Returns the
  /// number of timers fired.
  std::size_t fire(std::uint64_t now);

 private:
  struct entry {
    std::uint64_t deadline;
    std::uint64_t order;  // sequence number of the call of arm()
    timer* what;
  };
  [[nodiscard]] static bool before(const entry& a, const entry& b) noexcept {
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order;
  }
  void put(std::size_t place, const entry& e) noexcept;
  void rise(std::size_t place, const entry& e) noexcept;
  void sink(std::size_t place, const entry& e) noexcept;

  std::vector<entry> heap_;
  std::uint64_t order_ = 0;
  std::uint64_t firing_at_ = 0;  // set during fire(): earlier deadlines are raised to this time
};

}  // namespace inferbench::transport
