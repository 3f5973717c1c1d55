// Counts the rows that yielded no sample: one line for each reason, not for each row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::dataset {

/// One thread.
class skips {
 public:
  /// `message` is from the plugin: the reason, and after "; " a name of the row for the user
  /// ("record 17"), which is shown for the first row only. Without that part the row is called by
  /// its number, from 1. Beyond 16 reasons the rest counts as "other reasons".
  void add(std::string_view message, std::uint64_t row);

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// "12 rows skipped: prompt shorter than 4 tokens (first: record 17)", in order
  /// of first appearance.
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
