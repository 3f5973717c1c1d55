// A run in the form that reporters receive, made from the result file of its benchmark. The file
// has upstream's keys, such as mean_ttft_ms, from any program. A file of this program has the
// object `inferbench` in addition, with further figures, facts and the configuration. The result of
// a start-up benchmark has other keys, such as cold_startup_times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "experiment/experiment.hpp"
#include "experiment/startup_figures.hpp"
#include "metrics/report.hpp"

namespace inferbench::experiment {

/// Owns every text and number to which run() and summary() point. One thread at a time.
struct result_run {
  std::string name;              // valid as a file name
  std::string config_json;       // ifb_run.config_json, with the member "resolved"
  std::string environment_json;  // "{}" if the file does not state it
  std::uint64_t started_ns = 0;
  std::int64_t started_unix_ns = 0;  // 0: not known
  std::int64_t finished_unix_ns = 0;
  bool interrupted = false;
  std::vector<startup_figure> starts;  // `figures` points to their texts
  metrics::report figures;

  /// Views that are valid as long as this object.
  [[nodiscard]] ifb_run run() const;
  [[nodiscard]] ifb_summary summary() const;
};

/// The figures are those of metrics/table.hpp and those of startup_figures.hpp that the result
/// contains; other members of the result are left out. A summary of another program has no minimum
/// and no maximum (NaN), and its count is the number of completed requests, because the result does
/// not state the number of its values. The dates of such a program are local times.
///
/// The result of a start-up benchmark has the fact `startup`, which is its object `inferbench`, and
/// its environment is the engine with its versions. The run begins with the last cold start, and
/// ends when the file was written; if the result has no moments, the run also begins then.
///
/// `from.result` must be an object that is nested at most options::deepest levels deep
/// (pytext/python_json.hpp).
[[nodiscard]] result_run result_run_of(const finished_run& from);

/// The member started_unix_ns of result_run_of(run).
[[nodiscard]] std::int64_t began_unix_ns(const finished_run& run);

}  // namespace inferbench::experiment
