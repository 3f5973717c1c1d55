#include <string>

#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "run/replay_journal.hpp"

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
  return run::replay_journal(asked.journal, asked.reporters, asked.server, asked.bounded, log,
                             standard_output())
             ? done
             : incomplete;
}

}  // namespace inferbench::cli
