// The files of the leaderboard that are used, and the order of their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rapidjson/document.h>

#include <inferbench/host.hpp>

#include "datasets/common/jsonl.hpp"
#include "possible_answers.hpp"

namespace bfcl {

/// Returns the categories in texts such as "simple, multiple", trimmed and without empty names. If
/// there are no names, returns simple, live_simple and multiple.
[[nodiscard]] std::vector<std::string> categories_of(const std::vector<std::string>& given);

/// Larger files, in bytes, are not checked before the first request.
inline constexpr std::size_t looked_through = std::size_t{64} << 20U;

/// The rows of all categories in turn: the first row of each category, the second row of each
/// category, and so on. To be used by one thread at a time.
class questions {
 public:
  /// `source` is a folder, or a data set of the hub, whose files come from the cache or are
  /// downloaded. Throws ifb::failure if a file cannot be found or read. The message for a missing
  /// category is "BFCL category 'x' not found". Files with possible answers are optional: if the
  /// hub cannot deliver one, there is only a warning. Another warning has the number of questions
  /// that a file with possible answers lacks, unless the file of questions is larger than
  /// `looked_through`. Throws ifb::failure if `source` is a file.
  questions(ifb::host host, const std::string& source, const std::vector<std::string>& categories);

  [[nodiscard]] std::uint64_t rows() const noexcept { return order_.size(); }
  /// Reads row `row`, which must be less than rows(). Throws ifb::failure if the row is malformed.
  void read(std::uint64_t row, files::json_row& out);
  /// Returns the calls that row `row` expects (possible_answers.hpp); `question` is the row that
  /// read() gave. Empty if the source has no answer for it.
  [[nodiscard]] std::string expected(std::uint64_t row, const rapidjson::Value& question);
  /// Returns the path of the file that contains row `row`.
  [[nodiscard]] const std::string& path(std::uint64_t row) const;
  /// Returns whether the file that contains row `row` has at most `looked_through` bytes.
  [[nodiscard]] bool is_looked_through(std::uint64_t row) const;

 private:
  struct place {
    std::uint32_t file;
    std::uint32_t row;
  };
  std::vector<std::unique_ptr<files::json_lines>> files_;
  std::vector<std::unique_ptr<possible_answers>> answers_;  // of each file; null: there are none
  std::vector<place> order_;
};

}  // namespace bfcl
