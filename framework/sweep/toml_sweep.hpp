// The table [sweep] of a TOML file (docs/sweeps.md, "In TOML"): `inferbench run` with such a file
// carries out an experiment whose benchmark is `inferbench run` with the same files and the keys of
// a combination.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"
#include "sweep/request.hpp"

namespace inferbench::sweep {

/// The arguments of the command, beside the files.
struct toml_sweep_flags {
  bool dry_run = false;
  bool resume = false;
  bool show_stdout = false;
};

/// The most combinations of one experiment.
inline constexpr std::size_t most_combinations = 100'000;

/// The experiment of the table. `run_command`: the words of the benchmark's command for a single
/// run, "inferbench run base.toml --ignore-sweep". `result_reporter`: plan::result_reporter.
/// `start`: as for parse_sweep(). Throws options::usage_error with file, line and key for a table
/// that cannot be read: an unknown key, a wrong type, an empty list, a zip of lists with different
/// lengths, a key in two axes, a value that appears twice in an axis, an exclude that excludes
/// nothing. Throws base::error for a value out of range, for more than most_combinations, for an
/// experiment without any combination, and what require_runnable() refuses. The keys of the
/// benchmark's axes are not compared with the known keys of config.
[[nodiscard]] plan plan_of(const options::node& sweep_table, std::vector<std::string> run_command,
                           std::string result_reporter, const toml_sweep_flags& flags,
                           const options::environment& env, std::time_t start = std::time(nullptr));

/// The keys of [sweep] and [sweep.server] that have one value.
[[nodiscard]] std::vector<options::option> toml_sweep_keys();

/// The table as TOML, with the header [sweep] and those of its tables. Reads back as the same
/// table.
[[nodiscard]] std::string toml_of(const options::node& sweep_table);

}  // namespace inferbench::sweep
