// Passes Ctrl-C on to an engine that is at work.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace inferbench::run {

/// A thread that calls `cancel` once when the flag is set, as long as this object exists. `came`
/// must outlive the object. `cancel` must not throw.
class cancel_on_signal {
 public:
  cancel_on_signal(const std::atomic<bool>& came, std::function<void()> cancel);
  cancel_on_signal(const cancel_on_signal&) = delete;
  cancel_on_signal& operator=(const cancel_on_signal&) = delete;
  ~cancel_on_signal();

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace inferbench::run
