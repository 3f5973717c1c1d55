// Carries out an experiment: every combination of server and benchmark parameters, each repeated,
// with a folder for each combination. A sweep of starts is an experiment without a server, whose
// benchmark is the start-up benchmark. After a kill at any moment, the same plan with `resume`
// repeats no finished run and uses no unfinished run.
#pragma once

#include <atomic>
#include <filesystem>
#include <vector>

#include "base/output.hpp"
#include "sweep/level.hpp"
#include "sweep/request.hpp"

namespace inferbench::experiment {

/// A finished run of an experiment, for reporters.
struct finished_run {
  sweep::item serve;
  sweep::item bench;
  int run_number = 0;
  std::filesystem::path file;
  sweep::run_object result;
};

struct outcome {
  std::filesystem::path folder;
  std::vector<finished_run> runs;  // in the order of summary.csv
  bool all_made = true;            // false: a combination failed
  bool all_completed = true;       // false: a run completed no request; of serve_sla: no
                                   // run of a combination did
  bool interrupted = false;
};

/// Prints upstream's lines to `out`, and the progress and the errors of its commands to standard
/// error. `stop` becomes true when the user interrupts; the outcome then has the runs so far. A
/// server that does not start or dies fails its combinations only. Throws base::error if a
/// benchmark fails and plan::continue_on_error is not set, if a file cannot be written, and, before
/// anything is started, if a program is not there; a dry run warns of that. No process is left when
/// the function returns or throws.
[[nodiscard]] outcome carry_out(const sweep::plan& plan, base::output& out,
                                const std::atomic<bool>& stop);

}  // namespace inferbench::experiment
