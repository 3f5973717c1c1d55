// The benchmark of structured outputs as a run of `inferbench serve`: the data set, the scorer and
// the reporter of structured outputs, with the values of the script's flags. Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scripts/flag_names.hpp"
#include "structured/script_line.hpp"

namespace inferbench::structured {

struct serve_command {
  std::vector<std::string> words;     // the arguments of serve
  std::vector<std::string> warnings;  // a line for each flag without effect
  scripts::flag_names names;          // the flags of the script, for the errors of serve
};

/// The command of serve for the line, which must not ask for help. Words for serve that the user
/// gave come last, so they win. The scorer is left out if the user names another, and the test
/// request if the user gives --ready-check-timeout-sec.
[[nodiscard]] serve_command serve_command_of(const script_line& line);

/// The default name of the result file:
/// "<ratio>so_<backend>_<rate>qps_<model after the last />_<dataset>_<num-prompts>_out<N>.txt",
/// with numbers as Python prints them.
[[nodiscard]] std::string result_name(const script_line& line);

}  // namespace inferbench::structured
