// Measures the errors of this client on this machine under this load: runs the load of a plan
// against the built-in simulator, whose ground-truth log contains the time at which each event was
// written. The simulator is a separate process on the loopback interface. No files are left behind,
// even after a crash: the files have no name. See docs/calibration.md.
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
  /// The expected duration of the load, in ns, is limited to this value: later requests are left
  /// out. At least one sample is sent.
  std::uint64_t limit_ns = 30 * base::ns_per_s;
  std::string program = "/proc/self/exe";  // program whose `simulate` command is the server
  /// Reporters for the run against the simulator. If this list is not empty, the console output of
  /// that run is shown, too.
  std::vector<options::plugin_choice> reporters{};
  base::output* out = nullptr;  // where the reporters print; nullptr: their text is dropped
};

struct calibration {
  std::string json;   // the findings as one JSON object
  std::string table;  // the same findings as a table for the console; each line has a line ending
  metrics::validity client = metrics::validity::valid;  // whether the client kept up
};

/// Runs the load of `plan`: its rate, concurrency, prompts, workers and backend, without warm-up,
/// TLS and proxy. If the simulator does not know the backend's endpoint, it uses the backend's
/// default endpoint, or else the backend openai. If the backend chooses its endpoint itself, the
/// first sample is sent to find out whether the simulator knows the endpoint. A change to openai
/// and the number of requests left out are logged. Call this on the main thread while no
/// run::interrupt exists. Throws base::error if the backend is an engine, if the simulator does not
/// start, if the user interrupts the calibration, if no request can be compared, and for all errors
/// of run::execute().
[[nodiscard]] calibration calibrate(const config::plan& plan, const calibration_settings& settings,
                                    base::log& log);

}  // namespace inferbench::calibration
