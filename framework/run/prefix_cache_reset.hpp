// Empties the prefix caches of the servers before a run (--reset-prefix-cache), so that no prompt
// of an earlier run is still in a cache.
#pragma once

#include "run/interrupt.hpp"
#include "services/target.hpp"

namespace inferbench::run {

/// Sends POST /reset_prefix_cache to each server, with API key and headers. vLLM has this path in
/// its development mode only. Throws base::error if a server does not answer, if the status of an
/// answer is an error, and if the user stops the program. Main thread.
void reset_prefix_caches(const services::target& servers, interrupt& signals);

}  // namespace inferbench::run
