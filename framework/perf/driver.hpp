// Carries out the tests of a dashboard, one after the other: starts the servers, makes the runs and
// records their commands. A failure ends a test and not the driver.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "experiment/sweep_console.hpp"
#include "perf/devices.hpp"
#include "perf/run_request.hpp"
#include "perf/test_definition.hpp"
#include "perf/tool.hpp"

namespace inferbench::perf {

/// The tests of all files, as far as they are chosen.
struct chosen_tests {
  std::vector<serving_test> serving;
  std::vector<offline_test> latency;
  std::vector<offline_test> startup;
  std::vector<offline_test> throughput;
};

struct run_tally {
  int made = 0;  // benchmarks that ended with status 0 and wrote a result
  // Benchmarks that ended otherwise; also servers that did not start or ended during their test.
  int failed = 0;
  int skipped = 0;  // tests that this machine or the request rules out
  // Points of servers whose result says that requests failed; also results that are used again.
  int with_failed_requests = 0;
};

/// The parts that the driver uses. The members are borrowed.
struct driver_setting {
  const run_request& request;
  const device_set& devices;
  experiment::sweep_console& console;
  const std::atomic<bool>& stop;  // becomes true when the user interrupts
  tool_output run_tool;           // for the memory in use of GPUs
};

/// Makes the runs of all tests: serving, latency, startup, throughput; in a dry run it only shows
/// their commands. The folder of results must be there. Before the server of a test starts, the
/// files that an earlier run has left for the points of the test are removed. No process of a test
/// is left at the end. Throws base::error if a file cannot be written or removed, and
/// experiment::stopped_sweep if the user interrupts.
[[nodiscard]] run_tally carry_out(const driver_setting& with, const chosen_tests& tests);

}  // namespace inferbench::perf
