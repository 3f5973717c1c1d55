// Passes finished records from the workers to the collector. Owned by the run. Only worker i uses
// producer i; only the collector's thread calls pop_all().
//
// Unbounded on purpose: with a bound, a worker could have to wait for the disk, and its wait would
// be measured as time of the server. The queue contains at most the records of the run.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "client/record.hpp"

namespace inferbench::records {

class channel {
 public:
  /// The number of pending records that wakes a waiting collector. With fewer records the collector
  /// sleeps until its deadline.
  static constexpr std::int64_t default_batch = 256;

  explicit channel(std::size_t producers, std::int64_t batch = default_batch)
      : slots_(std::make_unique<slot[]>(producers)),
        producers_(producers),
        open_(producers),
        batch_(batch) {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  /// Only the thread of `producer` may call this, before its close(). Takes a lock, which the
  /// collector holds only for three stores. Allocates only until the buffers have reached the size
  /// of a batch.
  void push(std::size_t producer, client::record&& finished) {
    bool full = false;
    {
      slot& own = slots_[producer];
      const std::lock_guard lock(own.mutex);
      own.filling.push_back(std::move(finished));
      // Counted inside the lock, so that the collector never takes a record that is not counted
      // yet.
      full = pending_.fetch_add(1, std::memory_order_relaxed) + 1 == batch_;
    }
    if (full) wake();
  }

  /// This producer pushes no more records. The last close() ends the channel.
  void close(std::size_t producer) {
    {
      const std::lock_guard lock(slots_[producer].mutex);
      if (std::exchange(slots_[producer].closed, true)) return;
    }
    if (open_.fetch_sub(1, std::memory_order_acq_rel) == 1) wake();
  }

  /// Only the collector may call this. Waits until a batch is pending, all producers have closed or
  /// `deadline` is reached, and appends all pending records to `out`. A deadline in the past means
  /// no wait. The records of one producer keep the order of their completion. Returns false if no
  /// more records can follow; this call may have appended the last records.
  bool pop_all(std::vector<client::record>& out, std::chrono::steady_clock::time_point deadline) {
    {
      std::unique_lock lock(wait_mutex_);
      woken_.wait_until(lock, deadline, [&] {
        return pending_.load(std::memory_order_relaxed) >= batch_ || all_closed();
      });
    }
    // This is read before the loop, so the loop takes every record that was pushed before the last
    // close.
    const bool ended = all_closed();
    for (std::size_t i = 0; i < producers_; ++i)
      take(slots_[i], out);
    return !ended;
  }

 private:
  // Slots are at least a cache line apart, so that two workers never share a cache line.
  struct alignas(64) slot {
    std::mutex mutex;
    std::vector<client::record> filling;
    bool closed = false;
    std::vector<client::record> spare;  // used by the collector
  };

  [[nodiscard]] bool all_closed() const noexcept {
    return open_.load(std::memory_order_acquire) == 0;
  }

  void take(slot& from, std::vector<client::record>& out) {
    {
      const std::lock_guard lock(from.mutex);
      if (from.filling.empty()) return;
      from.filling.swap(from.spare);
      pending_.fetch_sub(static_cast<std::int64_t>(from.spare.size()), std::memory_order_relaxed);
    }
    if (out.empty()) {
      // The whole buffer is handed over. The next buffer is allocated here, so that no worker waits
      // for an allocation unless bursts grow.
      out.swap(from.spare);
      const auto least = static_cast<std::size_t>(std::max<std::int64_t>(batch_, 0));
      from.spare.reserve(std::max(out.size(), least) * 5 / 4);
      return;
    }
    for (client::record& finished : from.spare)
      out.push_back(std::move(finished));
    from.spare.clear();  // the capacity is kept for the worker's next batch
  }

  void wake() {
    // The lock is taken and released, so that the wake-up cannot come after the collector has read
    // the counters but before it sleeps.
    {
      const std::lock_guard lock(wait_mutex_);
    }
    woken_.notify_one();
  }

  std::unique_ptr<slot[]> slots_;
  std::size_t producers_;
  std::atomic<std::size_t> open_;
  std::atomic<std::int64_t> pending_{0};
  std::int64_t batch_;
  std::mutex wait_mutex_;
  std::condition_variable woken_;
};

}  // namespace inferbench::records
