// An inspector of media that waits in each file until the test lets it continue.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string_view>
#include <utility>

#include "simulator/media_check.hpp"

namespace inferbench::simulator {

class media_gate {
 public:
  /// An inspector that waits until open(), and then returns what `inspect` returns. The gate must
  /// outlive it.
  [[nodiscard]] media_inspector inspector(media_inspector inspect) {
    return [this, inspect = std::move(inspect)](std::string_view file, media::kind of) {
      pass();
      return inspect(file, of);
    };
  }

  /// Waits until the inspector waits in its first file.
  void wait_until_entered() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return entered_; });
  }
  /// Lets all files pass, from now on.
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  void pass() {
    std::unique_lock lock(mutex_);
    entered_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool entered_ = false;
  bool open_ = false;
};

}  // namespace inferbench::simulator
