// The tables of a comparison as CSV. Pure function.
#pragma once

#include <string>
#include <vector>

#include "perf/compare_report.hpp"

namespace inferbench::perf {

struct csv_table {
  std::string file;  // model_128x128__P99_TTFT__ms_.csv: letters, digits and ._- only
  std::string text;
};

/// A table for each metric that a group has, and its summary. All columns with those of the group
/// first, no index; numbers are not rounded; missing cells are empty. Lines end with "\n".
[[nodiscard]] std::vector<csv_table> csv_tables(const comparison_report& all);

}  // namespace inferbench::perf
