// The options of `inferbench prioritization`, upstream's benchmark_prioritization: a throughput
// whose requests have random priorities.
#pragma once

#include "offline/offline_line.hpp"
#include "offline/throughput_options.hpp"

namespace inferbench::offline {

/// Checks the options in the order of upstream. The prompts are those of the file --dataset, or all
/// equal with --input-len tokens. Throws options::usage_error for what upstream's parser refuses
/// (status 2), and base::error for what it refuses afterwards (status 1): a length that is missing
/// without a file, --input-len with a file, and an --output-len below 4 tokens with a file. The
/// engines hf and mii are accepted here and refused by require_engine().
[[nodiscard]] throughput_options prioritization_options_of(const offline_line& line,
                                                           const installed_names& installed = {});

}  // namespace inferbench::offline
