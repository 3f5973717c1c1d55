// What happens between set-up and measurement: ready check and warm-up, each with
// sample 0, without a request id and none of it in any figure; then the profiler, which
// stays on behind them. The lines printed are upstream's.
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

/// What both need.
struct rehearsal {
  const config::preparation& wanted;
  std::optional<std::int64_t> max_concurrency;  // also of the warm-up
  bool progress;                                // draw a bar
  const client::backend& protocol;
  const base::clock& clock;
  interrupt& signals;
  base::log& log;
  services::console& out;
  std::function<void()> stopping{};  // called before requests are ended because the user stops
};

/// Throws base::error when the server does not become ready in time, or when the user
/// stops it.
void check_readiness(const rehearsal& with, const dataset::sample& first);

/// Throws base::error when the user stops it.
void warm_up(const rehearsal& with, const dataset::sample& first);

/// The profiler of each server, on as long as this lives, however the run ends; nothing
/// without --profile. A server that does not do as it is told costs a warning.
class profiling {
 public:
  /// References must outlive it. Throws base::error when the user stops it; servers that
  /// had begun to profile then end that.
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
