// The queue between the feeding thread and the workers, bounded by the number of its samples and by
// their memory. A mutex is fast enough, because it is locked once per request and not once per
// event.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "dataset/sample.hpp"

namespace inferbench::dataset {

enum class taken : std::uint8_t { sample, later, end };

/// The memory of the samples that wait in a queue, in bytes of their arenas.
struct waiting_bytes {
  std::size_t most = SIZE_MAX;
  std::size_t first =
      0;  // if larger: in place of `most` until the queue is full for the first time
};

/// First in, first out. Any thread may use it.
class queue {
 public:
  /// Opens the queue and drops its previous contents. The queue is full if it has `capacity`
  /// samples or reaches the number of bytes, but it always takes one sample. push() must not be
  /// called at the same time.
  void open(std::size_t capacity, const waiting_bytes& bytes = {});

  /// Adds a sample. If the queue is full, waits until only half of it is filled: if the threads
  /// woke each other for every sample, this would take longer than the work on the samples. Returns
  /// false if the queue was closed or cancelled; the sample is then dropped.
  bool push(sample_ptr item);

  /// Closes the queue: samples in the queue may still be taken, but no sample can be added.
  void close();

  /// Closes the queue and drops the samples in it.
  void cancel();

  /// Waits for a sample. Returns null if the queue is empty and closed.
  [[nodiscard]] sample_ptr pop();

  /// Like pop(), but never waits. Sets `out` if it returns `sample`.
  [[nodiscard]] taken try_pop(sample_ptr& out);

  /// Waits until the queue is full or closed. Returns false if this takes longer than `limit`.
  bool wait_until_full(std::chrono::milliseconds limit);

 private:
  [[nodiscard]] bool full() const noexcept;
  [[nodiscard]] bool half_empty() const noexcept;
  [[nodiscard]] sample_ptr take_front(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable grown_;
  std::condition_variable shrunk_;
  std::vector<sample_ptr> ring_;
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;       // of the samples in the queue
  std::size_t most_bytes_ = 1;  // the queue is full with so many bytes
  std::size_t next_most_ = 1;   // most_bytes_ after the queue was full
  std::size_t pushing_ = 0;     // threads that wait in push()
  bool closed_ = false;
};

}  // namespace inferbench::dataset
