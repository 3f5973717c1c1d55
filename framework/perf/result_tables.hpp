// The results in a folder as tables, one for each kind of test.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "perf/result_column.hpp"

namespace inferbench::perf {

/// The tables of the results.
struct result_tables {
  std::vector<result_column> latency;
  std::vector<result_column> throughput;
  std::vector<result_column> serving;
  std::vector<std::string> notices;  // the files that were left out, and why
};

/// Reads every file *.json directly in the folder, in the order of their names. The path of a file,
/// as given, says its kind: it contains "serving", otherwise "latency", otherwise "throughput".
/// Other files, and results without a file `.commands` beside them, are left out with a notice.
/// Throws base::error, which names the file, for a folder that is not there, for files that are not
/// JSON objects, for a latency result without one of its six percentiles, for a serving result
/// whose commands are missing or cannot be read, and for a column of latency or throughput that no
/// result has.
[[nodiscard]] result_tables read_results(const std::filesystem::path& folder);

}  // namespace inferbench::perf
