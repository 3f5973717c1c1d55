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

/// Places for texts, and the user's signals. Everything must outlive the measurement.
struct startup_console {
  base::output& out;
  base::log& log;
  /// Throws base::error if the user has stopped the program.
  std::function<void()> end_if_stopped;
  /// Shows that `done` of `all` starts are finished; `label`: "Cold starts".
  std::function<void(const char* label, std::size_t done, std::size_t all)> progress;
};

struct startup_outcome {
  offline::startup_result result;        // of the cold and the warm starts
  std::vector<start_sample> cold, warm;  // in order
  std::vector<std::string> variables;    // that named the folders of the cold starts
  std::vector<std::string> used;         // those whose folders a cold start has written to
};

/// Repeats the start as `options` say. Cold starts get the folders of cold_caches (caches.hpp),
/// which are removed after each start; the other starts get the caches of this process. Warns if a
/// cold start has not used its folders, and repeats the remarks of samples, each once. Throws
/// base::error of the start, with its number in front, and for variables that have no valid names.
[[nodiscard]] startup_outcome measure_startup(const offline::startup_options& options,
                                              repeatable_start& what,
                                              const startup_console& console);

}  // namespace inferbench::startup
