// Loads the next rows of the order together, because many rows of a Parquet file take hardly longer
// than one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "data_file.hpp"
#include "row_order.hpp"

namespace tables {

/// May be used by only one thread at a time, on behalf of several threads that read on: their
/// positions differ by less than `most_out_of_order`.
class row_loader {
 public:
  /// Makes the row at `position` ready, and if positions are read in ascending order also the rows
  /// after it: more each time, within the limits of limits.hpp. Rows before it stay ready as far as
  /// earlier calls came out of order. Opens no file. All files that the order knows must be in
  /// `files`. Throws only if the run is being stopped.
  void prepare(std::uint64_t position, row_order& order,
               const std::vector<std::unique_ptr<data_file>>& files);

 private:
  // Rows that were loaded together: positions of the order, and the files that hold their rows.
  struct block {
    std::uint64_t number = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> files{};
  };
  using file_list = std::vector<std::unique_ptr<data_file>>;

  [[nodiscard]] bool holds(std::uint64_t position) const;
  void load_next(std::uint64_t count, row_order& order, const file_list& files);
  void make_room(std::uint64_t bytes, const file_list& files);
  void drop_first(const file_list& files);

  std::deque<block> blocks_;   // in ascending order
  std::uint64_t next_ = 0;     // the position after the last block
  std::uint64_t wanted_ = 0;   // the number of rows that were wanted last
  std::uint64_t latest_ = 0;   // the highest position that was asked for
  std::uint64_t behind_ = 0;   // how far behind it a position was asked for, at most
  std::uint64_t numbers_ = 0;  // of blocks
};

}  // namespace tables
