// The bounded queue between the feeding thread and the workers. A mutex is fast enough, because it
// is locked once per request and not once per event.
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

/// First in, first out. Any thread may use it.
class queue {
 public:
  /// Opens the queue with room for `capacity` samples, at least one, and drops its previous
  /// contents. push() must not be called at the same time.
  void open(std::size_t capacity);

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
  [[nodiscard]] sample_ptr front();

  std::mutex mutex_;
  std::condition_variable grown_;
  std::condition_variable shrunk_;
  std::vector<sample_ptr> ring_;
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  bool closed_ = false;
};

}  // namespace inferbench::dataset
