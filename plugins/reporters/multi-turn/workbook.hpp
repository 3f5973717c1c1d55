// The workbook of a run (Excel): the sheets "Summary" and "Raw data".
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run_summary.hpp"
#include "turn_request.hpp"

namespace multi_turn {

/// A summary, and the share of the requests that it leaves out; an empty text: none.
using shared_summary = std::pair<std::string, run_summary>;

/// Writes the file: the parameters and the tables of all summaries, and a row for each request.
/// Throws ifb::failure (IFB_E_IO) with the path and the reason.
void write_workbook(const std::filesystem::path& file, const std::vector<std::string>& parameters,
                    std::span<const shared_summary> summaries,
                    std::span<const turn_request> requests);

}  // namespace multi_turn
