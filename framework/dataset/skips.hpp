// Counts the rows from which the plugin made no sample. The user gets one line for each reason, and
// not one line for each row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::dataset {

/// Used by one thread.
class skips {
 public:
  /// Adds a row. `row`: its number in the dataset, from 0. `message` comes from the plugin: the
  /// reason and, after the first "; ", a name of the row for the user ("record 17"). Without "; "
  /// the name is "row" and the number of the row, counted from 1. If several
  /// rows have the same reason, only the name of the first of them is shown. After 16 different
  /// reasons, all further reasons count as "other reasons".
  void add(std::string_view message, std::uint64_t row);

  /// The number of rows that were added.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// One line for each reason, in the order in which the reasons first appeared: "12 rows skipped:
  /// prompt shorter than 4 tokens (first: record 17)".
  [[nodiscard]] std::vector<std::string> lines() const;

  /// Forgets all rows.
  void clear();

 private:
  struct entry {
    std::string reason;
    std::string first;  // the name of the first row
    std::uint64_t count = 0;
  };
  std::vector<entry> entries_;
  std::uint64_t total_ = 0;
};

}  // namespace inferbench::dataset
