// Makes the results of independent, numbered jobs. Several threads make results in advance;
// one thread takes them in order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "worker_thread.hpp"

namespace synthetic {

/// One thread owns the object and makes all calls. The job is called by the object's own threads,
/// also by several at the same time, or by the owner in take() if there are no threads. The
/// destructor waits for running jobs.
template <typename result>
class prefetcher {
 public:
  /// Makes the result with the given number.
  using job = std::function<result(std::uint64_t)>;

  /// At most `room` results are made or being made before they are taken. If `threads` is 0, take()
  /// makes each result itself.
  prefetcher(unsigned threads, std::size_t room, job make)
      : make_(std::move(make)), room_(std::max<std::size_t>(room, 1)), wanted_threads_(threads) {}
  prefetcher(const prefetcher&) = delete;
  prefetcher& operator=(const prefetcher&) = delete;
  ~prefetcher() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    work_.notify_all();
    for (std::thread& each : threads_)
      each.join();
  }

  /// Selects the next results: `from` to `end`-1. First waits for running jobs, and drops all
  /// results that have not been taken. Throws std::system_error if a thread cannot be started.
  void start(std::uint64_t from, std::uint64_t end) {
    std::unique_lock lock(mutex_);
    end_ = next_ = claimed_ = 0;
    done_.wait(lock, [&] { return busy_ == 0; });
    slots_.clear();
    next_ = claimed_ = from;
    end_ = end;
    if (wanted_threads_ == 0 || from >= end) return;
    slots_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(room_, end - from)));
    while (threads_.size() < wanted_threads_)
      threads_.push_back(start_worker([this] { work(); }));
    lock.unlock();
    work_.notify_all();
  }

  /// Returns the number of the result that take() returns next; `end` after the last result.
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }

  /// Waits for the next result and returns it, or throws the exception of its job; next() advances
  /// in both cases. Must not be called after the last result.
  [[nodiscard]] result take() {
    if (slots_.empty()) return make_(next_++);
    std::unique_lock lock(mutex_);
    slot& mine = slots_[next_ % slots_.size()];
    done_.wait(lock, [&] { return mine.made || mine.trouble; });
    slot taken = std::exchange(mine, {});
    ++next_;
    // Wakes the threads only when half of the slots are free, and not for each result, because
    // waking a thread costs more than a short job.
    const bool half_is_free = claimed_ - next_ == slots_.size() / 2;
    lock.unlock();
    if (half_is_free) work_.notify_all();
    if (taken.trouble) std::rethrow_exception(taken.trouble);
    return std::move(*taken.made);
  }

 private:
  struct slot {
    std::optional<result> made;
    std::exception_ptr trouble;
  };

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock,
                 [&] { return ending_ || (claimed_ < end_ && claimed_ - next_ < slots_.size()); });
      if (ending_) return;
      const std::uint64_t mine = claimed_++;
      ++busy_;
      lock.unlock();
      slot out;
      try {
        out.made.emplace(make_(mine));
      } catch (...) {
        out.trouble = std::current_exception();
      }
      lock.lock();
      --busy_;
      if (end_ != 0) slots_[mine % slots_.size()] = std::move(out);
      if (end_ == 0 ? busy_ == 0 : mine == next_) done_.notify_one();
    }
  }

  job make_;
  std::size_t room_;
  unsigned wanted_threads_;
  std::mutex mutex_;
  std::condition_variable work_;  // for the threads: there is work, or the object ends
  std::condition_variable done_;  // for the owner: the next result is made, or no job is running
  std::vector<slot> slots_;       // result i waits in slot i modulo the number of slots
  std::uint64_t next_ = 0;        // the result that take() returns next
  std::uint64_t claimed_ = 0;     // the first result whose job no thread has begun
  std::uint64_t end_ = 0;  // 0: there is nothing to do, and results of running jobs are dropped
  std::size_t busy_ = 0;   // number of running jobs
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace synthetic
