// The names of the offline commands' flags for errors of `serve` and of data sets, whose flags the
// commands set: prefix-caching's --input-length-range is --prefix-repetition-suffix-len there. Pure
// function.
#pragma once

#include "offline/offline_line.hpp"
#include "scripts/flag_names.hpp"

namespace inferbench::offline {

/// The flag of the command for each flag of a data set that the command sets by a flag with another
/// name. A flag that the user gave by its own name is not among them.
[[nodiscard]] scripts::flag_names inner_names(const offline_line& line);

}  // namespace inferbench::offline
