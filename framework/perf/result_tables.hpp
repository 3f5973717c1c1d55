// The results in a folder as tables, one for each kind of test.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/result_column.hpp"
#include "perf/test_definition.hpp"

namespace inferbench::perf {

/// The tables of the results.
struct result_tables {
  std::vector<result_column> latency;
  std::vector<result_column> throughput;
  std::vector<result_column> serving;
  // The files that were left out, and why, except for the outputs of this program; and that no file
  // was a result.
  std::vector<std::string> notices;
};

inline constexpr const char* page_name = "benchmark_results.md";
inline constexpr const char* rows_name = "benchmark_results.json";

/// The kind of a result by the path of its file, as in upstream's converter: the path contains
/// "serving", otherwise "latency", otherwise "throughput". nullopt: none of them; results of
/// startup tests have no row.
[[nodiscard]] std::optional<test_kind> kind_of_path(std::string_view path);

/// Reads every file *.json directly in the folder, in the order of their names. The path of a file,
/// as given, says its kind (kind_of_path()). Other files, and results without a file `.commands`
/// beside them, are left out with a notice.
/// Throws base::error, which names the file, for a folder that is not there, for files that are not
/// JSON objects, for a latency result without one of its six percentiles, for a serving result
/// whose commands are missing or cannot be read, and for a column of latency or throughput that no
/// result has.
[[nodiscard]] result_tables read_results(const std::filesystem::path& folder);

}  // namespace inferbench::perf
