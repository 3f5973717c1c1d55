// The file of `tune batch`: an array of objects, each of which is a tuning whose members are
// variables of the environment. The results are added to the objects. Pure; no file is touched.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/json_reader.hpp>

namespace inferbench::tune {

/// The name of the variable for a member: upper case, and without all characters but A-Z, 0-9 and
/// "_".
[[nodiscard]] std::string variable_name(std::string_view key);

struct batch_variables {
  std::vector<std::string> variables;  // NAME=value
  std::vector<std::string> notices;    // for the user
};

class batch_file {
 public:
  /// The members that the driver adds; they are no variables.
  static constexpr std::string_view run_id = "run_id";
  static constexpr std::string_view status = "status";
  static constexpr std::string_view results = "results";
  static constexpr std::string_view gcs_results = "gcs_results";

  /// `name`: of the file, for messages. Throws base::error for malformed JSON, for a value that is
  /// no array, for an element that is no object, and for a member whose value is no variable: a
  /// table, a list in a list, or a text with a zero byte.
  batch_file(std::string_view text, const std::string& name);

  [[nodiscard]] std::size_t size() const { return document_.Size(); }
  /// A text as it is, a number or a boolean as Python writes it, a list with blanks between its
  /// values; null is no variable. The last of several members for one variable counts.
  [[nodiscard]] batch_variables variables(std::size_t run) const;
  /// The text of a member; empty if there is none.
  [[nodiscard]] std::string member(std::size_t run, std::string_view key) const;
  /// Replaces the member at its place, or adds it at the end.
  void set(std::size_t run, std::string_view key, std::string_view value);
  void remove(std::size_t run, std::string_view key);

  /// 4 blanks for a level, and a line end.
  [[nodiscard]] std::string text() const;
  /// The number of runs that succeeded, and a line for each other run. `made`: the number of runs
  /// that were carried out now; a later run can have members of an earlier batch. Secrets are cut.
  [[nodiscard]] std::vector<std::string> summary(std::size_t made) const;

 private:
  ifb::json_document document_;
};

/// Looks for the last line RESULT_FILE=PATH in a text that comes in pieces. Used by one thread at a
/// time.
class result_line {
 public:
  void add(std::string_view piece);
  /// The path; empty if there was no such line. A line counts when it has ended.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string line_;
  bool too_long_ = false;
  std::string path_;
};

}  // namespace inferbench::tune
