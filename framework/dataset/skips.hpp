// Counts the rows that yielded no sample. The user gets one line for each reason and not for each
// row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::dataset {

/// Used by one thread.
class skips {
 public:
  /// Adds a row. `message` comes from the plugin: the reason, and after "; " a name of the row for
  /// the user ("record 17"). Without "; " the name is "row" and its number, from 1. Only the name
  /// of the first row with a reason is shown. After 16 different reasons, all further reasons count
  /// as "other reasons".
  void add(std::string_view message, std::uint64_t row);

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// One line for each reason, in the order in which the reasons first appeared: "12 rows skipped:
  /// prompt shorter than 4 tokens (first: record 17)".
  [[nodiscard]] std::vector<std::string> lines() const;

  void clear();

 private:
  struct entry {
    std::string reason;
    std::string first;
    std::uint64_t count = 0;
  };
  std::vector<entry> entries_;
  std::uint64_t total_ = 0;
};

}  // namespace inferbench::dataset
