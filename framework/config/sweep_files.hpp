// The table [sweep] in the files of `inferbench run`: the files then describe an experiment, whose
// benchmark is `inferbench run` with the same files and the keys of a combination.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/flags.hpp"
#include "config/plan.hpp"
#include "config/settings.hpp"
#include "options/node.hpp"
#include "options/option.hpp"
#include "sweep/request.hpp"

namespace inferbench::config {

/// The flag of `run` for a single run in spite of the table.
inline constexpr const char* ignore_sweep_flag = "ignore-sweep";

/// The flags of `run` that only an experiment takes.
[[nodiscard]] std::vector<options::option> sweep_flags();

/// Takes the table [sweep] and the settings --set sweep.KEY=VALUE out of `from`. Returns the table
/// with these settings; nullopt if there are neither. --set takes the keys of
/// sweep::toml_sweep_keys(), commands as one text, and axes: sweep.axes.KEY=[VALUE, ...]. Throws
/// usage_error for any other key.
[[nodiscard]] std::optional<options::node> take_sweep(sources& from);

/// The command of a single run: "inferbench run", the files, the flags of `line` that do not belong
/// to the experiment, and --ignore-sweep. `options`: the declarations of the flags.
[[nodiscard]] std::vector<std::string> single_run_command(std::span<const std::string> files,
                                                          const command_line& line,
                                                          std::span<const options::option> options);

/// A text that changes if a setting of the files changes. `file`: the files without the table.
[[nodiscard]] std::string digest_of_settings(const options::node& file);

/// Makes the plan of a single run from the arguments after `inferbench run`. Throws base::error.
using read_single_run = std::function<config::plan(std::span<const std::string> arguments)>;

/// Checks the keys of an experiment before anything is started: reads a run for each value of each
/// axis. Adds warnings about files that every run would write, and sets keys that a run must have
/// within an experiment. Throws the error of a run, with the place of the value in the file, or
/// with the combination if the place is not known; base::error if a run repeats itself
/// (run.num-runs).
void prepare_runs(sweep::plan& experiment, const read_single_run& read,
                  std::vector<std::string>& warnings);

}  // namespace inferbench::config
