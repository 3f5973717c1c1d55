// Which combinations of a plan run, and whether the plan can run at all: checks before anything is
// started. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "sweep/request.hpp"

namespace inferbench::sweep {

/// Whether the combination runs: the values of the plan's links are equal, and no exclude has all
/// its values in the two items.
[[nodiscard]] bool runs(const plan& what, const item& serve, const item& bench);

/// Whether a combination runs. Links to parameters that the levels of an exploration or a search
/// set do not count.
[[nodiscard]] bool some_run(const plan& what);

/// "no combination is left: no server has the parameter a of the link a=b": why nothing runs.
[[nodiscard]] std::string why_none_runs(const plan& what);

/// A text for each item that is in its file twice, with file and line: its runs are made once, and
/// summary.csv has their rows twice, as upstream's does.
[[nodiscard]] std::vector<std::string> repetitions_in(const plan& what);

/// Throws base::error, with the position of the item if it comes from a file, for a plan that would
/// fail later or mix results: an item with two spellings of one option, with a value that is too
/// long for an argument, or with --result-dir or --result-filename, which the sweep sets, a
/// benchmark item that contains the variable of the levels, a folder or file whose name is longer
/// than a file system takes (255 bytes), different combinations with the same folder, and links
/// that leave out all combinations.
void require_runnable(const plan& what);

}  // namespace inferbench::sweep
