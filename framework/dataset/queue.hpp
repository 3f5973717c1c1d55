// The bounded queue between the feeding thread and the workers. A mutex is fast enough: it is taken
// once per request, not once per event.
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

/// Any thread. First in, first out.
class queue {
 public:
  /// Opens the queue with room for `capacity` samples, at least one, and drops its previous
  /// content. push() must not be called meanwhile.
  void open(std::size_t capacity);

  /// If the queue is full, waits until half of it was taken: two threads that wake each other for
  /// every sample would spend more time on that than on the samples. False if the queue was
  /// cancelled; the sample is then dropped.
  bool push(sample_ptr item);

  /// No more samples will come; samples in the queue may still be taken.
  void close();

  /// No more samples will come; samples in the queue are dropped.
  void cancel();

  /// Waits for a sample; null after the last.
  [[nodiscard]] sample_ptr pop();

  /// Never waits; sets `out` if it returns `sample`.
  [[nodiscard]] taken try_pop(sample_ptr& out);

  /// Returns when the queue is full or closed; false if that took too long.
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
