// Gives the results to the agent of Buildkite, where the driver runs in its pipelines.
#pragma once

#include <atomic>
#include <string>

#include "experiment/sweep_console.hpp"

namespace inferbench::perf {

/// Annotates the build with the page and uploads all files of the folder, by the program
/// `buildkite-agent`. Does nothing if that program is not in $PATH. A failure is a line on standard
/// error. Throws experiment::stopped_sweep if the user interrupts.
void publish(const std::string& result_folder, experiment::sweep_console& console,
             const std::atomic<bool>& stop);

}  // namespace inferbench::perf
