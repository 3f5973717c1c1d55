// Where the main thread writes how far the run is, and the collector's thread reads it for live
// figures. Neither waits for the other longer than a copy takes, and no worker touches it.
#pragma once

#include <mutex>

#include "run/progress.hpp"

namespace inferbench::run {

/// The state of a run that is in progress.
struct live_state {
  progress_state progress;
  double busiest_worker = 0;  // the largest share of a core that a worker used lately, 0..1
};

/// Any thread may call these functions.
class live_board {
 public:
  void put(const live_state& now) {
    const std::lock_guard lock(mutex_);
    now_ = now;
  }
  /// What was put last; zeros before the first put().
  [[nodiscard]] live_state read() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }

 private:
  mutable std::mutex mutex_;
  live_state now_;
};

}  // namespace inferbench::run
