#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "base/log.hpp"
#include "cli/commands.hpp"
#include "config/catalog.hpp"
#include "config/environment.hpp"
#include "config/request.hpp"
#include "run/rereport.hpp"

namespace inferbench::cli {

int report(arguments args) {
  config::installed_catalog plugins;
  const config::report_request asked =
      config::parse_report(args, config::environment::of_process(), plugins);
  if (!asked.help.empty()) {
    fmt::print("{}", asked.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  return run::report_journal(asked.journal, asked.reporters, asked.bounded, log, stdout)
             ? done
             : incomplete;
}

}  // namespace inferbench::cli
