#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "simulator/options.hpp"
#include "simulator/server.hpp"

namespace inferbench::cli {

namespace {

// A signal handler has no other way to its object; set for the time of run().
simulator::server* running = nullptr;

void stop(int) {
  if (running != nullptr) running->stop();
}

}  // namespace

int simulate(arguments args) {
  if (std::ranges::any_of(args, [](const std::string& a) { return a == "--help" || a == "-h"; })) {
    fmt::print("{}", simulator::help_text());
    return done;
  }
  const base::monotonic_clock clock;
  base::log log;
  simulator::options options = simulator::parse_options(args);
  options.version = INFERBENCH_VERSION;
  simulator::server server(options, clock, log);
  running = &server;
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  fmt::print("listening on {}\n", server.url());
  std::fflush(stdout);
  server.run();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  running = nullptr;
  return done;
}

}  // namespace inferbench::cli
