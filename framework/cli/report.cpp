#include <string>

#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "run/replay_journal.hpp"
#include "run/replay_table.hpp"

namespace inferbench::cli {

int report(arguments args) {
  config::installed_catalog plugins;
  const config::report_request asked =
      config::parse_report(args, options::environment::of_process(), plugins);
  if (!asked.help.empty()) {
    cli::print("{}", asked.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  const run::description_changes changes{asked.bounded, asked.thresholds, asked.thresholds_certain};
  const run::replay_outcome result =
      asked.journals.size() == 1
          ? run::replay_journal(asked.journals.front(), asked.reporters, asked.server, changes, log,
                                standard_output())
          : run::replay_table({asked.journals.begin(), asked.journals.end()}, asked.reporters,
                              asked.server, changes, log, standard_output());
  if (result.reporters_failed) return incomplete;
  return result.thresholds_failed ? not_met : done;
}

}  // namespace inferbench::cli
