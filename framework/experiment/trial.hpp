// One run of a benchmark: its command, its result, and the rule which results may be used. The
// benchmark writes below .part/; the checked result with the parameters is then written durably to
// its place. So a file at its place is complete, whenever this program was killed.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiment/combination.hpp"
#include "experiment/experiment_folder.hpp"
#include "experiment/foreground_command.hpp"
#include "sweep/level.hpp"
#include "sweep/request.hpp"

namespace inferbench::experiment {

struct trial {
  sweep::item serve;
  sweep::item bench;
  int run_number = 0;                // -1: the warm-up
  std::filesystem::path file;        // of the result
  std::filesystem::path part;        // the benchmark writes its result here
  std::vector<std::string> command;  // with the flags for the result
};

/// `run_number` -1: the warm-up, with its own number of requests.
[[nodiscard]] trial trial_of(const sweep::plan& plan, const experiment_folder& folder,
                             const combination& what, int run_number);

/// The result that is there, with the parameters; nullptr if there is none. A file that is no
/// result counts as none, and `tell` says why.
[[nodiscard]] sweep::run_object found_result(const trial& of, const sweep::tell_line& tell);

/// Runs the benchmark and writes its result. `before_write` gets the result before that; if it
/// throws, nothing is written, and its exception passes on. Throws failed_run if the benchmark has
/// no usable result, base::error if the result cannot be written, and what run_in_foreground()
/// throws except for a command that cannot be started, which is a failed_run as well.
[[nodiscard]] sweep::run_object carried_out(
    const trial& what, const command_surroundings& with,
    const std::function<void(const ifb::json_value& result)>& before_write = {});

/// Whether a benchmark with this wait status can have a result. inferbench has one if the client
/// did not keep up (exit status 3), and if a goal was not met (4).
[[nodiscard]] bool can_have_result(const std::string& program, int wait_status);

}  // namespace inferbench::experiment
