// Counts prompts with more or fewer tokens than requested, for a warning to the user.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace synthetic {

/// A value that may be copied. Used by one thread at a time.
class mismatches {
 public:
  /// Counts a prompt that has `tokens` more tokens than requested; negative: fewer, 0: as
  /// requested.
  void add(std::int64_t tokens) noexcept;

  /// Returns "3 of 1000 prompts are not of the length asked for: 4 tokens too many and 1 token too
  /// few in all, ..."; empty if all prompts have the requested length. `what` is the word that the
  /// text uses for prompts.
  [[nodiscard]] std::string text(std::string_view what = "prompts") const;

 private:
  std::uint64_t prompts_ = 0;
  std::uint64_t wrong_ = 0;  // prompts with another length than requested
  std::int64_t more_ = 0;    // tokens, summed over the prompts that are too long
  std::int64_t fewer_ = 0;   // tokens, summed over the prompts that are too short
};

/// Like mismatches, for rows that are read in any order and more than once. Any thread may call
/// add().
class row_mismatches {
 public:
  /// Sets the number of rows, and forgets earlier rows. Must be called before the first add(), and
  /// not while another thread uses the object.
  void expect(std::uint64_t rows);
  /// Counts the prompt of row `row` (0-based), which has `tokens` more tokens than requested.
  /// Counts a row only once, and only if it is one of the expected rows. The call that counts the
  /// last missing row returns the text about all rows; every other call returns an empty text.
  [[nodiscard]] std::string add(std::uint64_t row, std::int64_t tokens);

 private:
  std::mutex mutex_;
  mismatches all_;
  std::vector<bool> seen_;   // for each expected row: add() has counted it
  std::uint64_t count_ = 0;  // number of rows counted
};

}  // namespace synthetic
