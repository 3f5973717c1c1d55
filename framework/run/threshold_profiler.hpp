// Starts the servers' profilers when the servers are busy enough (--profile-batch-threshold), and
// stops them after a time (--profile-duration). So the profile shows a full batch and stays small.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/log.hpp"
#include "config/plan.hpp"
#include "services/target.hpp"

namespace inferbench::run {

class threshold_profiler {
 public:
  /// Starts a thread that reads /metrics of each server five times a second, and profiles once when
  /// the sum of the running requests (observe/idle.hpp) reaches the threshold. `in_flight`: the
  /// client's own number, which counts instead if a server does not report its running requests;
  /// the new thread calls it. `wanted` must have a threshold. All references must outlive this
  /// object.
  threshold_profiler(const config::preparation& wanted, const services::target& servers,
                     std::function<std::uint64_t()> in_flight, base::log& log);
  threshold_profiler(const threshold_profiler&) = delete;
  threshold_profiler& operator=(const threshold_profiler&) = delete;
  /// Stops the profilers if they are on, and logs a warning if the threshold was never reached.
  ~threshold_profiler();

 private:
  void watch();
  void profile();
  [[nodiscard]] bool is_busy();
  [[nodiscard]] std::optional<double> running();
  void tell(const char* path, bool last);
  /// Waits for the end of the run, but not longer than `ns`. Returns true if the run has ended.
  [[nodiscard]] bool wait(std::uint64_t ns);
  [[nodiscard]] bool is_over();

  const config::preparation& wanted_;
  const services::target& servers_;
  std::function<std::uint64_t()> in_flight_;
  base::log& log_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;       // protected by mutex_
  bool own_count_ = false;  // the client's number counts; used by thread_ only
  bool profiled_ = false;   // used by thread_ until it has ended
  double most_ = 0;         // the largest number that was seen; as profiled_
  std::thread thread_;      // last: it uses all members above
};

}  // namespace inferbench::run
