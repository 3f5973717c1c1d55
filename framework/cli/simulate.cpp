#include <csignal>
#include <string>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "simulator/options.hpp"
#include "simulator/server.hpp"

namespace inferbench::cli {

namespace {

// Global, because a signal handler has no other access to the server. Not null during run().
simulator::server* running = nullptr;

void stop(int) {
  if (running != nullptr) running->stop();
}

/// Sets the handler of the signals that stop the server in an orderly way. An ignored SIGHUP, as
/// under nohup, stays ignored.
void set_handlers(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

}  // namespace

int simulate(arguments args) {
  if (asks_for_help(args)) {
    cli::print("{}", simulator::help_text());
    return done;
  }
  const base::monotonic_clock clock;
  base::log log;
  simulator::options options = simulator::parse_options(args);
  options.version = INFERBENCH_VERSION;
  simulator::server server(options, clock, log);
  running = &server;
  set_handlers(&stop);
  cli::print("listening on {}\n", server.url());
  standard_output().flush();
  server.run();
  set_handlers(SIG_DFL);
  running = nullptr;
  // Not to standard output, whose reader may be gone: many read only the first line.
  if (const std::string media = server.media_summary(); !media.empty()) log.info(media);
  return server.files_complete() ? done : incomplete;
}

}  // namespace inferbench::cli
