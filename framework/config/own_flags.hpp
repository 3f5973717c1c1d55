// Flags of a command that are no keys: they say what to do with the job and are no part of it.
#pragma once

#include <vector>

#include "config/option.hpp"

namespace inferbench::config {

/// In the order of --help.
[[nodiscard]] std::vector<option> own_flags(command who);

/// Of `calibrate`, which takes the keys of serve: what the simulator needs. It has no configuration
/// of its own that could be printed.
[[nodiscard]] std::vector<option> calibrate_flags();

}  // namespace inferbench::config
