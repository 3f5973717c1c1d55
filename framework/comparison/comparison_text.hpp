// A comparison as lines for the console, without line ends. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "comparison/comparison.hpp"

namespace inferbench::comparison {

/// For each candidate: the number of blocks or runs, a table with a row for each metric, what is
/// missing for the metrics that cannot be told, and the conclusion. The last line is the conclusion
/// of the last candidate.
[[nodiscard]] std::vector<std::string> comparison_lines(const comparison_result& result);

/// The conclusion of a candidate as a line: "new is slower than base: slower on 1 of 2 metrics (P99
/// TTFT +4.1 %), same within 2 % on 1 (mean TPOT). 8 blocks; ...". It has the number of blocks or
/// runs and the difference that would have been missed.
[[nodiscard]] std::string conclusion_line(const comparison_result& result,
                                          const candidate_result& candidate);

/// The line that `--gate` prints: the exit status and its reason.
[[nodiscard]] std::string gate_line(const comparison_result& result);

}  // namespace inferbench::comparison
