// The file of several runs: a line for each run, then a line for each point. docs/reporters.md
// describes the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "lines.hpp"

namespace reporters {

/// Copies what it needs from each call. For one thread.
class csv_table {
 public:
  explicit csv_table(const ifb_table& table);

  void add(const ifb_table_run& run);
  void add(const ifb_table_end& end);

  /// Returns all lines, beginning with the names of the columns. The columns of figures are those
  /// of all runs and points, in the order in which they appeared.
  [[nodiscard]] std::string text() const;

 private:
  struct line {
    std::map<std::string, std::string, std::less<>> axes;  // name, JSON
    std::string kind;                                      // "run" or "point"
    std::string point, run, runs;
    std::string label, source, name, state;
    std::int64_t started_unix_ns = 0;
    std::map<std::size_t, double> figures;  // column, value
  };

  std::size_t column_of(const std::string& name);
  void add_axes(line& to, const ifb_field* first, std::size_t count);
  void add_interval(line& to, const ifb_interval& interval, bool with_value);
  void write(csv_lines& out, const line& from) const;

  std::vector<std::string> axes_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> places_;  // of the columns
  std::vector<line> lines_;
};

}  // namespace reporters
