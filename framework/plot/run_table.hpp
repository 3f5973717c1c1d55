// The results of an experiment in memory: all run objects of every summary.json below a folder.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace inferbench::plot {

/// One run object. A value of a few words that points into its run_table.
struct run_row {
  base::json_value* object = nullptr;  // kind object; binners change its values
  const std::string* file = nullptr;   // path of the summary.json
  std::size_t number = 0;              // place in the file, from 0
  std::size_t siblings = 1;            // run objects of the file: repetitions of one combination
};

/// Owns the run objects. Objects, rows and file names are valid as long as the table, also after it
/// was moved. For one thread.
class run_table {
 public:
  /// Reads every summary.json below `folder`, in the order of their paths, where "run=2" comes
  /// before "run=10". Folders whose name begins with "." are skipped, and symbolic links to folders
  /// are not followed. Texts that are exactly "inf", "-inf" or "nan" become numbers; the literals
  /// NaN and Infinity of Python's json are accepted. Throws base::error if the folder cannot be
  /// read, if there is no summary.json, and, with file and line, for a file that is cut, is not
  /// JSON or is not an array of objects.
  [[nodiscard]] static run_table read(const std::string& folder);

  [[nodiscard]] std::span<const run_row> rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t files() const noexcept { return sources_.size(); }

 private:
  struct summary_source {
    std::string path;
    rapidjson::Document document;
  };
  void add(const std::string& path);

  std::vector<std::unique_ptr<summary_source>> sources_;
  std::vector<run_row> rows_;
};

}  // namespace inferbench::plot
