// Which combinations of a plan run, and whether the plan can run at all: checks before anything is
// started. Pure functions.
#pragma once

#include "sweep/request.hpp"

namespace inferbench::sweep {

/// Whether the combination runs: the values of the plan's links are equal, and no exclude has all
/// its values in the two items.
[[nodiscard]] bool runs(const plan& what, const item& serve, const item& bench);

/// Throws base::error, with the position of the item if it comes from a file, for a plan that would
/// fail later or mix results: a benchmark item that contains the variable of the levels, a folder
/// or file whose name is longer than a file system takes (255 bytes), and different combinations
/// with the same folder.
void require_runnable(const plan& what);

}  // namespace inferbench::sweep
