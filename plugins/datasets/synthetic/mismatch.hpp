// Counts the prompts that do not have the wanted length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace synthetic {

/// A value. One thread.
class mismatches {
 public:
  /// Counts a prompt with `tokens` more (or, negative, fewer) than asked for.
  void add(std::int64_t tokens) noexcept;

  /// "3 of 1000 prompts are not of the length asked for: 4 tokens too many and 1 too few in all,
  /// ..."; empty when all are. `what`: "prompts".
  [[nodiscard]] std::string text(std::string_view what = "prompts") const;

 private:
  std::uint64_t prompts_ = 0;
  std::uint64_t wrong_ = 0;
  std::int64_t more_ = 0;
  std::int64_t fewer_ = 0;
};

/// The same for rows that are read in any order and more than once. One thread.
class row_mismatches {
 public:
  /// Before the first add().
  void expect(std::uint64_t rows) { seen_.assign(rows, false); }
  /// Counts a row the first time. Returns the text about all rows when the last one is counted,
  /// else an empty text.
  [[nodiscard]] std::string add(std::uint64_t row, std::int64_t tokens);

 private:
  mismatches all_;
  std::vector<bool> seen_;
  std::uint64_t count_ = 0;
};

}  // namespace synthetic
