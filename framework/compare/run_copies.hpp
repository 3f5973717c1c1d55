// Files of the same run: its result beside its journal, and copies. A run counts once, because the
// statistics take each run of a group as an independent measurement.
#pragma once

#include <string>
#include <vector>

#include "compare/run_groups.hpp"

namespace inferbench::compare {

/// Leaves one file of each run in its group, and adds a note for each group with further files: a
/// journal is left out if a result file of its group has its name, and of two other files with the
/// same name and the same start of the run the later one in the order of the group. A run that does
/// not state both, such as a run of vllm, is no copy. Throws base::error with the file if the run
/// is in two groups.
void leave_out_copies(std::vector<run_group>& groups, std::vector<std::string>& notes);

}  // namespace inferbench::compare
