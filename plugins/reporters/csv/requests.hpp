// The columns of the file of one run: a line for each request. docs/reporters.md describes them.
#pragma once

#include <cstdint>

#include <inferbench/abi.h>

#include "lines.hpp"

namespace reporters {

/// The run of the requests.
struct csv_run {
  std::uint64_t started_ns = 0;
  std::int64_t started_unix_ns = 0;
  bool pooling = false;
  bool texts = false;  // the last column is the text of the answer
};

/// Appends the line with the names of the columns.
void add_request_names(csv_lines& out, const csv_run& run);
/// Appends the line of a request that was sent.
void add_request(csv_lines& out, const ifb_record& record, const csv_run& run);

}  // namespace reporters
