// Measures the errors of this client on this machine under this load: runs the load of a plan
// against the built-in simulator, whose ground-truth log says when every event was written. The
// simulator is a process of its own on loopback. No files are left behind, however the calibration
// ends: its files have no name. docs/calibration.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "metrics/health.hpp"

namespace inferbench::calibration {

struct calibration_settings {
  std::string ttft = "50ms";  // in the format of `inferbench simulate`
  std::string itl = "10ms";
  /// Requests beyond this expected duration are left out; at least one is sent.
  std::uint64_t limit_ns = 30 * base::ns_per_s;
  std::string program = "/proc/self/exe";  // program whose `simulate` command is the server
  /// Reporters for the run against the simulator. If there are any, the console output of that run
  /// is shown, too.
  std::vector<options::plugin_choice> reporters{};
  base::output* out = nullptr;  // output of the reporters; null: none
};

struct calibration {
  std::string json;   // one object
  std::string table;  // the same as a table for the console, with line ends
  metrics::validity client = metrics::validity::valid;  // whether the client kept up
};

/// Runs the load of `plan`: its rate, concurrency, prompts, workers and backend, without warm-up,
/// TLS and proxy. Throws base::error for an engine. A backend whose endpoint the simulator does not
/// know is replaced by openai; this and the number of requests left out are logged. Main thread,
/// while no run::interrupt exists. Throws base::error also if the simulator does not start, if the
/// user interrupts the calibration, if no request succeeds, and in the cases of execute().
[[nodiscard]] calibration calibrate(const config::plan& plan, const calibration_settings& settings,
                                    base::log& log);

}  // namespace inferbench::calibration
