// What the end of a journal says about the client, so that a report made again has the
// same verdict: the object {"client": {...}, "calibration": {...}}, each member only
// where the run had it.
#pragma once

#include <string>
#include <string_view>

#include "metrics/context.hpp"

namespace inferbench::run {

/// For records::run_end::facts_json.
[[nodiscard]] std::string end_facts(const metrics::context& run);

/// Fills in client_json and calibration_json. What is no such object (an older journal,
/// a damaged one) leaves them empty.
void read_end_facts(std::string_view facts_json, metrics::context& into);

}  // namespace inferbench::run
