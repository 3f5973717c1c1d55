// Which keys of run objects are parameters of the sweep, as opposed to results. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/run_table.hpp"

namespace inferbench::plot {

/// The parameters that do not have the same value in all rows, in the order of their first
/// appearance. Parameters are the keys that a sweep adds after "run_number", and the settings that
/// every result of a benchmark repeats (num_prompts, request_rate, ...). If a key has two
/// spellings, with "_" and with "-", the first is named.
[[nodiscard]] std::vector<std::string> differing_parameters(std::span<const run_row> rows);

/// Whether the names are equal if "-" stands for "_".
[[nodiscard]] bool same_key(std::string_view a, std::string_view b) noexcept;

}  // namespace inferbench::plot
