// Gives the runs of an experiment to the reporters of a table (inferbench.table-reporter/1), from
// the result files. The files are from any benchmark with upstream's result format, so there are no
// records.
#pragma once

#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "experiment/experiment.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::experiment {

/// Runs with the same parameters are a point; the parameters that differ are the axes. The figures
/// of a point are means over its runs, with the 95 % intervals of confidence/repetitions.hpp. A
/// file that appears twice in `what.runs` is one run. Without runs, no reporter is created, and a
/// warning says so. `command`: the command line of the user, without secrets. `server`: the proxies
/// for requests of reporters. Returns false if a reporter has failed. Throws base::error if a
/// reporter does not offer the interface, or refuses.
[[nodiscard]] bool report_table(const outcome& what, const std::string& command,
                                const std::vector<options::plugin_choice>& reporters,
                                const config::server& server, base::log& log, base::output& out);

}  // namespace inferbench::experiment
