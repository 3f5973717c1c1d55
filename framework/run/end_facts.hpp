// Writes context::facts and context::beside into the end record of a journal, and reads them from
// it. So `inferbench report` computes the same figures and the same verdict as the run. The form is
// {"facts": {"client": {...}, ...}, "figures": {"probe_completed": 3, ...}}.
#pragma once

#include <string>
#include <string_view>

#include "metrics/context.hpp"

namespace inferbench::run {

/// Makes the text of records::run_end::facts_json.
[[nodiscard]] std::string end_facts(const metrics::context& run);

/// Fills in facts and beside. Both stay empty if `facts_json` does not have this form (an older or
/// damaged journal, or JSON that is nested too deeply). Figures with an unknown name are ignored.
void read_end_facts(std::string_view facts_json, metrics::context& into);

}  // namespace inferbench::run
