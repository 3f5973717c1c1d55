// The logarithms of a metric in the runs of a base and a candidate. Pure function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "comparison/input.hpp"

namespace inferbench::comparison {

/// The values of the runs that a comparison uses.
struct log_values {
  /// Why the values have no logarithms, as a clause; the vectors are empty then.
  std::string problem;
  std::vector<double> base, other;  // natural logarithms, a value for each run
  std::vector<double> blocks;       // D of each block; empty if nothing is paired
};

/// `metric`: its index. The indices in the blocks must exist.
[[nodiscard]] log_values log_values_of(const compared_group& base,
                                       const compared_candidate& candidate, std::size_t metric);

}  // namespace inferbench::comparison
