// The rows of a BurstGPT trace that are used: requests to GPT-4 that were answered.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"

struct trace_row {
  std::uint32_t request = 0;  // tokens
  std::uint32_t response = 0;
};

/// In the order of the file; columns are found by their names. Rows whose numbers cannot be read
/// are dropped with a warning. Throws ifb::failure (IFB_E_DATA, option "path") if a column is
/// missing or no row is left.
[[nodiscard]] std::vector<trace_row> read_trace(ifb::host host, const files::text_file& file);
