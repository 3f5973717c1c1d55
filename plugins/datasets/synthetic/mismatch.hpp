// Counts the prompts that do not have the wanted length.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace synthetic {

/// A plain value. One thread.
class mismatches {
 public:
  /// Counts a prompt that has `tokens` more tokens than requested. A negative number means fewer
  /// tokens.
  void add(std::int64_t tokens) noexcept;

  /// Returns "3 of 1000 prompts are not of the length asked for: 4 tokens too many and 1 too few in
  /// all, ..."; empty if all prompts have their length. `what` is the word for prompts in the text.
  [[nodiscard]] std::string text(std::string_view what = "prompts") const;

 private:
  std::uint64_t prompts_ = 0;
  std::uint64_t wrong_ = 0;
  std::int64_t more_ = 0;
  std::int64_t fewer_ = 0;
};

/// Like mismatches, for rows that are read in any order and more than once. Any thread.
class row_mismatches {
 public:
  /// Sets the number of rows, and forgets earlier rows. Must be called before the first add(), on
  /// one thread.
  void expect(std::uint64_t rows);
  /// Counts a row only the first time, and only if it is one of the expected rows. When the last
  /// row is counted, returns the text about all rows; otherwise returns an empty text.
  [[nodiscard]] std::string add(std::uint64_t row, std::int64_t tokens);

 private:
  std::mutex mutex_;
  mismatches all_;
  std::vector<bool> seen_;
  std::uint64_t count_ = 0;
};

}  // namespace synthetic
