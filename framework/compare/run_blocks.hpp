// Which runs of two groups form a block of four runs that were made in the order A B B A (or
// B A A B). Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compare/run_groups.hpp"
#include "comparison/input.hpp"

namespace inferbench::compare {

struct found_blocks {
  std::vector<comparison::compared_block> blocks;  // empty: the runs were not made in blocks
  std::vector<std::string> notes;                  // sentences: runs that belong to no whole block
};

/// The blocks of runs that `compare --run` has made (measured_run::place). None if a run of the
/// groups was made otherwise, or if the runs belong to several comparisons.
[[nodiscard]] found_blocks blocks_by_place(const run_group& base, const run_group& other);

/// The blocks of runs that somebody else made: the first four runs in the order of their start, and
/// so on. Throws base::error if the groups do not have 2 * `count` runs each, if the start of a run
/// is not known, and if a block has another order.
[[nodiscard]] std::vector<comparison::compared_block> blocks_by_start(const run_group& base,
                                                                      const run_group& other,
                                                                      std::size_t count);

}  // namespace inferbench::compare
