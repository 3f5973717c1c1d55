// Loads the next rows of the order together, because many rows of a Parquet file take hardly longer
// than one.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "data_file.hpp"
#include "row_order.hpp"

namespace tables {

/// May be used by only one thread at a time.
class row_loader {
 public:
  /// Makes the row at `position` ready, and if positions are read in ascending order also the rows
  /// after it: more each time, within the limits of limits.hpp. Opens no file. All files that the
  /// order knows must be in `files`. Throws only if the run is being stopped.
  void prepare(std::uint64_t position, row_order& order,
               const std::vector<std::unique_ptr<data_file>>& files);

 private:
  // Positions that are ready.
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t wanted_ = 0;        // the number of rows that were wanted last
  std::set<std::uint64_t> loaded_;  // files that hold rows
};

}  // namespace tables
