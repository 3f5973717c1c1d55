// The bounded queue between the feeding thread and the workers. A mutex is enough:
// it is taken once for each request, not for each event.
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

/// Any thread. Samples leave in the order in which they came.
class queue {
 public:
  /// Opens it with room for `capacity` samples, at least one; what was in it is dropped.
  /// Nobody pushes meanwhile.
  void open(std::size_t capacity);

  /// Where it is full, waits until half of it was taken: two threads that woke each other
  /// for every sample would spend more on that than on the samples. False when the queue
  /// was cancelled; the sample is then dropped.
  bool push(sample_ptr item);

  /// No more will come; what is there may still be taken.
  void close();

  /// No more will come, and what is there is dropped.
  void cancel();

  /// Waits for a sample; null after the last.
  [[nodiscard]] sample_ptr pop();

  /// Never waits; sets `out` when it answers `sample`.
  [[nodiscard]] taken try_pop(sample_ptr& out);

  /// Returns when there is no room, or none is to come; false when that took too long.
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
