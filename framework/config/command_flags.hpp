// Flags of a command that are no keys: they say what to do with the job and are no part of it.
#pragma once

#include <string>
#include <vector>

#include "options/option.hpp"

namespace inferbench::config {

/// In the order of --help.
[[nodiscard]] std::vector<options::option> command_flags(options::command who);

/// --reporter NAME, also with =FILE or =-, of every command that has reporters.
[[nodiscard]] options::option reporter_flag(std::string help);

/// Of `calibrate`, which takes the keys of serve: what the simulator needs. It has no configuration
/// of its own that could be printed.
[[nodiscard]] std::vector<options::option> calibrate_flags();

}  // namespace inferbench::config
