// Waiting for a time of the host's clock, which a cancel ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string_view>

#include <inferbench/host.hpp>

namespace reference_engine {

/// Used by one thread, except for cancel().
class engine_patience {
 public:
  explicit engine_patience(ifb::host host) : host_(host) {}
  engine_patience(const engine_patience&) = delete;
  engine_patience& operator=(const engine_patience&) = delete;

  /// Forgets an earlier cancel().
  void begin() noexcept { cancelled_ = false; }
  /// Whether cancel() was called since begin(), or the run is being stopped.
  [[nodiscard]] bool is_stopped() const { return cancelled_ || host_.cancelled(); }
  /// Waits until the host's clock shows `until_ns`, and shows the progress of `what` since
  /// `began_ns`, in milliseconds. Throws failure with IFB_E_CANCELLED if it is stopped before.
  void wait(std::uint64_t began_ns, std::uint64_t until_ns, std::string_view what);
  /// Any thread.
  void cancel() noexcept;

 private:
  ifb::host host_;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace reference_engine
