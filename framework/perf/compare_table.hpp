// The columns of a table of the comparison, the same for HTML and CSV. Pure function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/compare_frame.hpp"

namespace inferbench::perf {

enum class compared_kind : std::uint8_t {
  group,  // of the group's key: equal in all rows of a group
  key,    // of the rest of the key
  name,   // names of tests
  value,  // the metric of one file
  ratio
};

struct compared_column {
  std::string title;
  compared_kind kind = compared_kind::key;
  std::vector<compared_cell> cells;  // a cell for each row
};

/// The key columns, then for each file a column with names of tests, if `names`, a column with its
/// values and, from the second file on, "Ratio 1 vs N" for file N (compared_frame::ratio).
[[nodiscard]] std::vector<compared_column> columns_of(const compared_frame& frame, bool names);

}  // namespace inferbench::perf
