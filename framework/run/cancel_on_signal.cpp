#include "run/cancel_on_signal.hpp"

#include <chrono>
#include <utility>

namespace inferbench::run {

cancel_on_signal::cancel_on_signal(const std::atomic<bool>& came, std::function<void()> cancel)
    : thread_([this, &came, cancel = std::move(cancel)] {
        // The engine is measured meanwhile: twenty short looks a second cost nothing.
        while (!over_ && !came)
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (!over_) cancel();
      }) {}

cancel_on_signal::~cancel_on_signal() {
  over_ = true;
  thread_.join();
}

}  // namespace inferbench::run
