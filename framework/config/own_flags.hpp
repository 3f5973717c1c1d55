// Flags of a command that are no keys: they say what to do with the job and are no part of it.
#pragma once

#include <vector>

#include "config/option.hpp"

namespace inferbench::config {

/// `more`: those that the command has besides, first.
[[nodiscard]] std::vector<option> own_flags(command who, std::vector<option> more);

/// Of `calibrate`, beside those of serve.
[[nodiscard]] std::vector<option> simulator_flags();

}  // namespace inferbench::config
