// The health of the client after a traffic, put together from its workers and the system.
#pragma once

#include <cstdint>
#include <vector>

#include "client/health.hpp"
#include "metrics/health.hpp"
#include "metrics/ledger.hpp"
#include "observe/vitals.hpp"
#include "run/prepared.hpp"

namespace inferbench::run {

/// Everything except client_health::bounds, which the figures know. `workers`: of the workers that
/// have ended. `answers`: null for a pooling run. `system` has watched the workers; `now_ns`: the
/// time on the host's clock.
[[nodiscard]] metrics::client_health health_of_client(const prepared& with,
                                                      std::vector<client::worker_health> workers,
                                                      const metrics::ledger* answers,
                                                      observe::vitals& system,
                                                      std::uint64_t now_ns);

}  // namespace inferbench::run
