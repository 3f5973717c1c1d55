// The measurement of `inferbench startup`: cold starts with new, empty caches, starts that fill the
// caches, and warm starts.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "offline/other_options.hpp"
#include "offline/startup_report.hpp"
#include "startup/start_sample.hpp"

namespace inferbench::startup {

/// Outputs of the measurement, and the check for a stop by the user. All members must be set; the
/// references must outlive the measurement.
struct startup_console {
  base::output& out;
  base::log& log;
  /// Throws base::error if the user has stopped the program.
  std::function<void()> end_if_stopped;
  /// Shows that `done` of `all` starts are finished; `label`: for example "Cold starts".
  std::function<void(const char* label, std::size_t done, std::size_t all)> progress;
};

/// Plain data.
struct startup_outcome {
  offline::startup_result result;        // times of the cold and the warm starts
  std::vector<start_sample> cold, warm;  // in the order of time
  /// The environment variables that named the cache folders of the cold starts.
  std::vector<std::string> variables;
  /// The variables whose folders at least one cold start has written to.
  std::vector<std::string> used;
};

/// Starts and ends `what` as often as `options` say: cold starts, starts that fill the caches, warm
/// starts. Each cold start gets new folders (cold_caches, caches.hpp), which are removed after the
/// start; the other starts use the caches that the environment of this process names. Logs a
/// warning if no cold start has written to its folders, and each different remark of the samples
/// once. Throws the base::error of a start, with the number of the start in front, the error of
/// end_if_stopped, and an error for a name that no environment variable can have. Runs on the
/// calling thread.
[[nodiscard]] startup_outcome measure_startup(const offline::startup_options& options,
                                              repeatable_start& what,
                                              const startup_console& console);

}  // namespace inferbench::startup
