#include "cli/sweep_experiment.hpp"

#include <filesystem>
#include <span>
#include <string>

#include "base/error.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "config/table_reporters.hpp"
#include "experiment/experiment.hpp"
#include "experiment/experiment_texts.hpp"
#include "experiment/table.hpp"
#include "options/environment.hpp"
#include "run/interrupt.hpp"
#include "run/output_places.hpp"

namespace inferbench::cli {

namespace {

/// The searches of a certified plan give their runs to the reporters themselves.
std::span<const std::string> reporters_of_experiment(const sweep::plan& plan) {
  if (plan.search == sweep::sla_search::certified) return {};
  return plan.reporters;
}

}  // namespace

int carry_out_experiment(const sweep::plan& plan, config::catalog& plugins) {
  // The reporters come first: a misspelt name must not be found after hours.
  const std::string folder = (std::filesystem::path(plan.output_dir) / plan.experiment).string();
  const config::table_reporters asked =
      config::read_table_reporters({reporters_of_experiment(plan), plan.reporter_entries, folder},
                                   options::environment::of_process(), plugins);
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  if (!plan.dry_run) run::require_places(asked.reporters, {});
  run::interrupt interrupt(&log);
  interrupt.hold();
  const experiment::outcome made = experiment::carry_out(plan, standard_output(), interrupt.flag());
  bool reported = true;
  if (!plan.dry_run && !asked.reporters.empty() && !(made.interrupted && made.runs.empty()))
    reported = experiment::report_table(made, plan.command_line, asked.reporters, asked.server, log,
                                        standard_output());
  if (made.interrupted)
    throw base::error("the sweep was terminated early: interrupted", experiment::resume_hint(plan));
  if (!made.all_made) log.warning("some runs failed, see above; " + experiment::resume_hint(plan));
  if (!made.all_completed)
    log.warning(
        "some runs completed no request, see [NO COMPLETED REQUESTS] above; their results are "
        "kept, "
        "and --resume repeats a run whose file you remove");
  return made.all_made && made.all_completed && reported ? done : incomplete;
}

}  // namespace inferbench::cli
