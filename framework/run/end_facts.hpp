// What the end of a journal keeps of the run besides its records, so that a report made
// again has the same figures and the same verdict: {"facts": {"client": {...}, ...},
// "figures": {"probe_completed": 3, ...}}, of context::facts and context::beside.
#pragma once

#include <string>
#include <string_view>

#include "metrics/context.hpp"

namespace inferbench::run {

/// For records::run_end::facts_json.
[[nodiscard]] std::string end_facts(const metrics::context& run);

/// Fills in facts and beside. What is no such object (an older journal, a damaged one, one that is
/// nested too deeply), and figures that nobody knows, leave them out.
void read_end_facts(std::string_view facts_json, metrics::context& into);

}  // namespace inferbench::run
