// Executes a plan: prepares once, measures --num-runs times, and compares the runs.
#pragma once

#include <string>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "metrics/health.hpp"

namespace inferbench::run {

struct outcome {
  bool interrupted = false;        // Ctrl-C, SIGTERM or SIGHUP stopped the run; results are partial
  bool reporters_failed = false;   // at least one result was not written
  bool thresholds_failed = false;  // a goal of --threshold is not met
  bool data_failed = false;        // the dataset failed during the run: fewer requests than planned
  metrics::verdict client;         // whether the client kept up
};

/// Executes the plan. Call this on the main thread. `calibration_json`: the result of the
/// calibration (calibration.hpp), or empty; it is copied to the results. Text for the user is
/// printed to `out`, and warnings are logged to `log`. Throws base::error for every error that is
/// found before the first measured request. If the second or a later run cannot begin, the series
/// ends as if the user had stopped it.
outcome execute(config::plan plan, base::log& log, base::output& out,
                const std::string& calibration_json = {});

}  // namespace inferbench::run
