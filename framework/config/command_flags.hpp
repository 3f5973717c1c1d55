// Flags of a command that are not keys of the configuration, such as --help and --print-config.
#pragma once

#include <string>
#include <vector>

#include "options/option.hpp"

namespace inferbench::config {

/// The flags of the command `who`, in the order of --help.
[[nodiscard]] std::vector<options::option> command_flags(options::command who);

/// The flag --reporter NAME, NAME=FILE or NAME=-, for every command that has reporters.
[[nodiscard]] options::option reporter_flag(std::string help);

/// The flags of `report` that are its own, or that judge the run again and so have no default.
/// `report` also takes the flags of keys that set options of reporters.
[[nodiscard]] std::vector<options::option> report_flags();

/// The flags of `find` that describe the search. `find` also takes the flags of serve's keys.
[[nodiscard]] std::vector<options::option> find_flags();

/// The flags of `calibrate` that set up the simulator. `calibrate` also takes the flags of serve's
/// keys. There is no --print-config, because `calibrate` has no configuration file.
[[nodiscard]] std::vector<options::option> calibrate_flags();

}  // namespace inferbench::config
