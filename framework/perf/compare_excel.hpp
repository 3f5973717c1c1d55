// The tables of a comparison as an Excel workbook: a sheet for each group, and the sheet
// "Environment".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perf/compare_report.hpp"

namespace inferbench::perf {

/// The name of the sheet with the environment report.
inline constexpr const char* environment_sheet = "Environment";

/// A name that Excel accepts for each wanted name, in the same order: 1 to 31 UTF-16 units, "_"
/// instead of []:*?/\, of control characters and of an apostrophe at the beginning or the end, and
/// U+FFFD instead of malformed UTF-8. A name that differs from an earlier name, from "Environment"
/// or from Excel's own sheet "History" only in the case of letters gets "_2" and so on. Characters
/// beyond ASCII count as equal in this comparison. Pure function.
[[nodiscard]] std::vector<std::string> excel_sheet_names(std::span<const std::string> wanted);

/// Writes the workbook, and replaces an older file only when the new file is complete. A sheet of a
/// group has the notes of the comparison, the table of each metric with all columns of the CSV
/// file, and the summary. Numbers are not rounded, and the format of their cells shows two
/// decimals; infinite numbers are texts; missing cells are empty. `environment`: the lines of
/// vllm_env.txt; "Key: value" becomes two cells; nullopt: no sheet. Throws base::error, with the
/// path and the reason.
void write_comparison_workbook(const comparison_report& all,
                               const std::optional<std::string>& environment,
                               const std::string& path);

}  // namespace inferbench::perf
