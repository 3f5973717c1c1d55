// The block of vLLM's Rust client about a run in its multi-turn mode: the conversations, all turns
// together and each turn, 60 columns wide.
#pragma once

#include <string>

#include <inferbench/run_description.hpp>

#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {

/// Returns the lines of the block; empty if the run is not in this mode.
[[nodiscard]] std::string turn_report(const ifb::run_description& run, const figures& found,
                                      const json_value& facts);

}  // namespace reporters
