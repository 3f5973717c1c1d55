// The lines of the file that the reporter `jsonl` writes: JSON objects, each with its line end.
// docs/reporters.md describes them. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include <inferbench/abi.h>

namespace reporters {

/// The optional members of a request's line; the user chooses them.
struct jsonl_content {
  bool itl = false;   // the gaps between the events
  bool text = false;  // the answer, with reasoning and tool calls
};

[[nodiscard]] std::string first_line(const ifb_run& run);

/// Appends the line of a request that was sent. `started_ns` is ifb_run.started_ns, the origin of
/// the stamps. `pooling`: the answers are no streams (ifb::run_description::pooling).
void add_request_line(std::string& out, const ifb_record& record, std::uint64_t started_ns,
                      bool pooling, const jsonl_content& content);

[[nodiscard]] std::string last_line(const ifb_summary& summary);

}  // namespace reporters
