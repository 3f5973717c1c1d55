// The lines of the report about the metrics that the servers reported during the run, from the fact
// `series` (docs/observe.md). A journal may contain any values: unexpected values are left out.
#pragma once

#include <string>

#include "reporters/common/json_value.hpp"

namespace reporters {

/// Returns a line for each source: "Observed vllm 127.0.0.1:8000:    running 3.2 (8), KV cache 12 %
/// (31 %)", each mean with the maximum in brackets, and how many readings failed.
[[nodiscard]] std::string observed(const json_value& facts);

}  // namespace reporters
