// The folder of a tuning, and the commit in its result.
#pragma once

#include <ctime>
#include <filesystem>
#include <string>

#include "perf/tool.hpp"

namespace inferbench::tune {

/// Creates BASE/auto-benchmark/YYYY_MM_DD_HH_MM, by the local time, and its parents. If the folder
/// is there, the name of the new folder gets a number: YYYY_MM_DD_HH_MM-2. Throws base::error.
[[nodiscard]] std::filesystem::path make_result_folder(const std::filesystem::path& base,
                                                       std::time_t now);

/// The commit of the checkout BASE/vllm, by git; "unknown" if there is none.
[[nodiscard]] std::string commit_below(const std::filesystem::path& base,
                                       const perf::tool_output& run_tool);

}  // namespace inferbench::tune
