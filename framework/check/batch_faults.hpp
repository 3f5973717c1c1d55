// Faults in the structs that an engine of the draft inferbench.batch-engine fills in. Each finding
// names the member, such as results[1].outputs[0].tokens. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "check/batch_session.hpp"
#include "check/batch_wanted.hpp"
#include "check/outcome.hpp"

namespace inferbench::check {

/// Faults in the figures of load. `load`: the times of the call.
[[nodiscard]] std::vector<finding> faults_of(const ifb_loaded_engine& engine,
                                             const call_times& load);

/// Faults in the report of a run that answered IFB_OK. Reads the whole report, so a wrong pointer
/// crashes here. `run`: the times of the call; `bound_ns`: clock_bound_ns of the engine.
[[nodiscard]] std::vector<finding> faults_of(const ifb_batch_report& report,
                                             const wanted_batch& wanted, const call_times& run,
                                             std::uint64_t bound_ns);

}  // namespace inferbench::check
