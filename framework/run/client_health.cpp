#include "run/client_health.hpp"

#include <utility>

namespace inferbench::run {

metrics::client_health health_of_client(const prepared& with,
                                        std::vector<client::worker_health> workers,
                                        const metrics::ledger* answers, observe::vitals& system,
                                        std::uint64_t now_ns) {
  metrics::client_health out;
  if (answers != nullptr) {
    out.answers = answers->ok();
    out.unmarked = answers->unmarked();
    out.cut_short = answers->cut_short();
  }
  out.workers = std::move(workers);
  if (!with.protocol.engine) out.servers = with.plan.server.base_urls;
  out.stamping = with.plan.stamping;
  for (const client::worker_health& one : out.workers)
    out.local_failures += one.shortages;
  system.finish(now_ns, out);
  return out;
}

}  // namespace inferbench::run
