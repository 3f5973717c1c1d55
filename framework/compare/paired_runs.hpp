// Makes the runs of `compare --run`: blocks of four runs in the order A B B A,
// which balances a change of server and machine that is linear in time. Each
// run is a child process with a durable result, so that a comparison that was
// killed at any moment can be continued.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/output.hpp"
#include "compare/arm.hpp"
#include "compare/measured_run.hpp"
#include "compare/pair_folder.hpp"

namespace inferbench::compare {

/// A run of a block, in the order in which the runs are made.
struct planned_pair_run {
  std::size_t block = 0;
  std::size_t arm = 0;     // 0: A, the base
  std::size_t number = 0;  // of the two runs of the arm in the block

  friend bool operator==(const planned_pair_run&, const planned_pair_run&) = default;
};

/// A1 B1 B2 A2 for each block.
[[nodiscard]] std::vector<planned_pair_run> abba_order(std::size_t blocks);

/// The place of the result of a run.
[[nodiscard]] std::filesystem::path result_of(const pair_folder& folder, const arm& of,
                                              const planned_pair_run& which);

struct pair_outcome {
  std::array<std::vector<std::filesystem::path>, 2> files;  // of each arm, in the order of the runs
  std::size_t whole_blocks = 0;  // blocks from the first on whose four runs have results
  bool interrupted = false;
};

struct pair_tools {
  base::output& out;              // a line for each run
  const std::atomic<bool>& stop;  // becomes true when the user interrupts
  bool show_stdout = false;       // of the runs
  /// Called before each run; returns when the server is idle. Throws
  /// base::error if it does not become idle. May return early if `stop` is
  /// true.
  std::function<void()> wait_until_idle;
  /// Called after a run with failed requests. Returns false if the server does not answer any more.
  std::function<bool()> server_answers;
  /// Called after each whole block with the runs so far. May be empty.
  std::function<void(const pair_outcome& so_far)> after_block = {};
};

/// Makes the runs that have no result yet. Prints a line for each run, with its
/// main figures, the number of requests that failed if there are any, and the
/// share of its prompts that came from the prefix cache.
/// No process is left when the function returns or throws. Throws base::error
/// if a run fails, if the server does not answer any more after a run with failed
/// requests, whose result is then removed, and if a result cannot be written; the
/// other results so far are kept.
[[nodiscard]] pair_outcome make_paired_runs(const std::array<arm, 2>& arms, std::size_t blocks,
                                            const pair_folder& folder, const pair_tools& with);

}  // namespace inferbench::compare
