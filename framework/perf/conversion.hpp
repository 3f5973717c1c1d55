// From a folder of results to the page of a dashboard and to the list of rows that `perf compare`
// reads.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "perf/machine_facts.hpp"
#include "perf/result_tables.hpp"

namespace inferbench::perf {

/// The usual template, in the working folder.
inline constexpr const char* descriptions_name = "performance-benchmarks-descriptions.md";

/// The text of benchmark_results.json: one line without a line end.
[[nodiscard]] std::string rows_text(const result_tables& tables);

struct converted_texts {
  std::string page;
  std::string rows;
};

/// `descriptions`: the text of the template, from the file `descriptions_file`.
[[nodiscard]] converted_texts converted(result_tables tables, const machine_facts& machine,
                                        const std::string& descriptions,
                                        const std::string& descriptions_file);

/// The text of the template: of the file `named`, which may be missing (then the page says so); not
/// named: of the usual file, or usual_descriptions().
[[nodiscard]] std::string read_descriptions(const std::optional<std::string>& named);

/// Writes page and rows into the folder of the results. Returns the notices. Throws base::error.
[[nodiscard]] result_tables convert_folder(const std::filesystem::path& folder,
                                           const std::optional<std::string>& descriptions);

}  // namespace inferbench::perf
