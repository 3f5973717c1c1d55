// Finished records on their way from the workers to the collector. Owned by run; producer i
// belongs to worker i, pop_all to the collector's thread.
//
// Unbounded on purpose: a bound would make a worker wait for the disk, and the wait would be
// measured as the server's. The queue holds at most the records of the run.
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
  /// So many pushes wake a collector that waits; before that it sleeps until its deadline.
  static constexpr std::int64_t default_batch = 256;

  explicit channel(std::size_t producers, std::int64_t batch = default_batch)
      : slots_(std::make_unique<slot[]>(producers)),
        producers_(producers),
        open_(producers),
        batch_(batch) {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  /// By thread `producer` only, before its close(). Costs a lock that the collector holds for
  /// three stores; allocates only until the buffers have reached the size of a batch.
  void push(std::size_t producer, client::record&& finished) {
    bool full = false;
    {
      slot& own = slots_[producer];
      const std::lock_guard lock(own.mutex);
      own.filling.push_back(std::move(finished));
      // Inside the lock: the collector takes no record that is not counted yet.
      full = pending_.fetch_add(1, std::memory_order_relaxed) + 1 == batch_;
    }
    if (full) wake();
  }

  /// Nothing more comes from this producer. The last close() ends the channel.
  void close(std::size_t producer) {
    {
      const std::lock_guard lock(slots_[producer].mutex);
      if (std::exchange(slots_[producer].closed, true)) return;
    }
    if (open_.fetch_sub(1, std::memory_order_acq_rel) == 1) wake();
  }

  /// Collector only. Appends all records that there are: at once when a batch is there or all
  /// producers have closed, else at `deadline`; a deadline in the past polls. The records of
  /// one producer keep the order of their completion. False when nothing can follow any more;
  /// the last records may have been appended all the same.
  bool pop_all(std::vector<client::record>& out, std::chrono::steady_clock::time_point deadline) {
    {
      std::unique_lock lock(wait_mutex_);
      woken_.wait_until(lock, deadline, [&] {
        return pending_.load(std::memory_order_relaxed) >= batch_ || all_closed();
      });
    }
    // Read before the sweep, which then takes everything that was pushed before the last close.
    const bool ended = all_closed();
    for (std::size_t i = 0; i < producers_; ++i)
      take(slots_[i], out);
    return !ended;
  }

 private:
  // At least a cache line apart, so that workers do not share one.
  struct alignas(64) slot {
    std::mutex mutex;
    std::vector<client::record> filling;
    bool closed = false;
    std::vector<client::record> spare;  // of the collector
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
      // The whole buffer changes hands. The next buffer is allocated here, so that no
      // worker waits for an allocation as long as bursts do not grow.
      out.swap(from.spare);
      const auto least = static_cast<std::size_t>(std::max<std::int64_t>(batch_, 0));
      from.spare.reserve(std::max(out.size(), least) * 5 / 4);
      return;
    }
    for (client::record& finished : from.spare)
      out.push_back(std::move(finished));
    from.spare.clear();  // keeps its capacity for the worker's next batch
  }

  void wake() {
    // Taken and released, so that the wake-up cannot fall between the collector's
    // look at the counters and its sleep.
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
