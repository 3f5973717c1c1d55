// The steps between set-up and measurement: the ready check, the warm-up, and the start of the
// profiler, which stays on during the measurement. Ready check and warm-up send sample 0 without a
// request id; no figure includes these requests. The printed lines are the same as upstream's.
#pragma once

#include <cstddef>
#include <functional>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "client/backend.hpp"
#include "config/plan.hpp"
#include "dataset/sample.hpp"
#include "run/interrupt.hpp"
#include "services/console.hpp"
#include "services/target.hpp"

namespace inferbench::run {

/// The parameters of ready check and warm-up.
struct rehearsal {
  const config::preparation& wanted;
  std::optional<std::int64_t> max_concurrency;  // limit of the warm-up; nullopt: no limit
  bool progress;                                // draw a bar during the warm-up
  const client::backend& protocol;
  const base::clock& clock;
  interrupt& signals;
  base::log& log;
  services::console& out;
  std::function<void()> stopping{};  // called before requests are cancelled because the user
                                     // stopped the program
};

class traffic;
struct traffic_counts;

/// Waits until `requests`, which have begun, are over, and calls `tick` about twenty times a
/// second. Throws base::error if the user stops the program.
void wait_for(traffic& requests, const rehearsal& with,
              const std::function<void(const traffic_counts&)>& tick);

/// Performs the ready check. Throws base::error if the server does not become ready in time or the
/// user stops the program.
void check_readiness(const rehearsal& with, const dataset::sample& first);

/// Sends the warm-up requests. Throws base::error if the user stops the program.
void warm_up(const rehearsal& with, const dataset::sample& first);

/// Keeps the profiler of each server on while this object exists; does nothing without --profile,
/// and with --profile-batch-threshold, for which threshold_profiler.hpp starts them.
/// The destructor stops the profilers, even if the run failed. If a server does not start or stop
/// its profiler, a warning is logged.
class profiling {
 public:
  /// Starts the profilers. Everything that is passed by reference must outlive this object. If the
  /// user stops the program, stops the started profilers and throws base::error.
  profiling(const config::preparation& wanted, const services::target& server, interrupt& signals,
            base::log& log, services::console& out);
  profiling(const profiling&) = delete;
  profiling& operator=(const profiling&) = delete;
  ~profiling();

 private:
  std::size_t tell(std::size_t servers, const char* path, const char* doing, const char* done);

  bool wanted_;
  const services::target& server_;
  interrupt& signals_;
  base::log& log_;
  services::console& out_;
};

}  // namespace inferbench::run
