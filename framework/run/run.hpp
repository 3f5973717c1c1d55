// A plan carried out: prepared once, measured as often as it says, the runs compared.
#pragma once

#include <string>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "metrics/health.hpp"

namespace inferbench::run {

struct outcome {
  bool interrupted = false;       // by Ctrl-C, SIGTERM or SIGHUP; results cover what was done
  bool reporters_failed = false;  // at least one result was not written
  bool data_failed = false;       // the dataset failed on the way: fewer requests than planned
  metrics::verdict client;        // whether it kept up
};

/// Main thread. `calibration_json`: what calibration.hpp found, or empty; the result repeats
/// it. Text for the user goes to `out`, warnings to `log`. Throws base::error
/// for everything that is found wrong before the first measured request. A run after the
/// first that cannot begin ends the series, as if it was interrupted.
outcome execute(config::plan plan, base::log& log, base::output& out,
                const std::string& calibration_json = {});

}  // namespace inferbench::run
