// A command that a sweep waits for: a benchmark, or --after-bench-cmd.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "experiment/sweep_console.hpp"

namespace inferbench::experiment {

/// The console and the checks that a command uses while it runs. The members are borrowed.
struct command_surroundings {
  sweep_console& console;         // gets the texts of the command
  bool show_stdout = false;       // otherwise its standard output is dropped
  const std::atomic<bool>& stop;  // becomes true when the user interrupts
  /// Called some times a second while the command runs. An exception that it throws ends the
  /// command and passes on. May be empty.
  std::function<void()> meanwhile = {};
};

struct command_end {
  int wait_status = 0;     // as from waitpid()
  std::string last_lines;  // of both streams; without a line end
};

/// Runs the command to its end. When this function returns or throws, no process of the command is
/// left. Throws failed_run if the command cannot be started, with the type of Python's exception
/// ("FileNotFoundError", "PermissionError", "OSError"), and stopped_sweep if the user interrupts.
[[nodiscard]] command_end run_in_foreground(const std::vector<std::string>& words,
                                            const command_surroundings& with);

}  // namespace inferbench::experiment
