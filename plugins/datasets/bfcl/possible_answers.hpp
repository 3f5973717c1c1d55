// The right calls of the leaderboard's questions. They are in files of their own, in the folder
// possible_answer beside the questions, with the names of the questions' files. A line has the id
// of a question, and for each expected call the values that each argument may have:
//
//   {"id": "simple_0", "ground_truth": [{"area": {"base": [10], "unit": ["cm", ""]}}]}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <inferbench/host.hpp>

#include "datasets/common/jsonl.hpp"

namespace bfcl {

/// Returns whether the answers of a category are JSON values. The answers of java and javascript
/// are values in those languages, which no scorer reads.
[[nodiscard]] bool has_json_answers(std::string_view category) noexcept;

/// One file. To be used by one thread at a time.
class possible_answers {
 public:
  /// Reads all lines. Warns once if answers have another form than above, such as the answers to
  /// conversations of several turns; they are left out. Also warns once if lines repeat an id; the
  /// first answer with the id counts. Throws ifb::failure if the file cannot be read, if a line is
  /// not a JSON object, or if an answer is nested too deeply.
  possible_answers(ifb::host host, const std::string& path);

  /// Returns the calls that question `id` expects, in the form of the scorer tool-call:
  /// [{"name": "area", "allowed": {"base": [10], "unit": ["cm", ""]}}]; empty if the file does not
  /// have the question. Throws ifb::failure if the file has changed.
  [[nodiscard]] std::string expected(std::string_view id);
  /// Returns whether expected() has calls for the question.
  [[nodiscard]] bool has(std::string_view id) const { return rows_.contains(std::string(id)); }
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }

 private:
  files::json_lines file_;
  std::unordered_map<std::string, std::uint64_t> rows_;  // by the id
  files::json_row row_;
};

}  // namespace bfcl
