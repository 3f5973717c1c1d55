// The rows of a BurstGPT trace that are used: requests to GPT-4 that received an answer.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"

struct trace_row {
  std::uint32_t request = 0;  // length in tokens
  std::uint32_t response = 0;
};

/// Returns the rows in the order of the file. Columns are found by their names. Rows with
/// unreadable numbers are dropped with a warning. Throws ifb::failure (IFB_E_DATA, option "path")
/// if a column is missing or no row is left.
[[nodiscard]] std::vector<trace_row> read_trace(ifb::host host, const files::text_file& file);
