// How wrong this client is on this machine under this load: the load of a plan against
// the built-in simulator, whose ground truth says when every event was really written.
// The simulator is a process of its own on loopback; nothing is left behind, however
// the calibration ends: its files have no name. docs/calibration.md.
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
  std::string ttft = "50ms";  // as `inferbench simulate` takes them
  std::string itl = "10ms";
  /// Requests are left out so that the load is expected to last no longer; one is sent.
  std::uint64_t limit_ns = 30 * base::ns_per_s;
  std::string program = "/proc/self/exe";  // whose `simulate` is the server
  /// They report the run against the simulator; its console is then seen, too.
  std::vector<options::plugin_choice> reporters{};
  base::output* out = nullptr;  // where they print; null: nowhere
};

struct calibration {
  std::string json;                                     // one object
  std::string table;                                    // the same for people, with line ends
  metrics::validity client = metrics::validity::valid;  // whether it kept up
};

/// The load of `plan`: its rate, concurrency, prompts, workers and backend, without
/// warm-up, TLS and proxy. An engine is refused; a backend whose endpoint the simulator does not
/// know is replaced by openai; that, and how many requests are left out, is told to `log`. Main
/// thread, while no run::interrupt exists. Throws base::error: the simulator does not
/// start, the user interrupts, no request succeeds, and what execute() throws.
[[nodiscard]] calibration calibrate(const config::plan& plan, const calibration_settings& settings,
                                    base::log& log);

}  // namespace inferbench::calibration
