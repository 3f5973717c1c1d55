#include "limit/evidence.hpp"

#include <algorithm>

namespace inferbench::limit {

std::size_t probe_evidence::independent() const noexcept {
  std::optional<std::size_t> least;
  for (const part_evidence& each : parts) {
    // One failed part fails a probe, so only the failed parts carry the verdict then.
    if (outcome == verdict::failed && each.outcome != verdict::failed) continue;
    const std::size_t count = each.what.kind == part_kind::share ? each.independent
                              : each.estimate                    ? each.batches
                                                                 : 0;
    least = std::min(least.value_or(count), count);
  }
  return least.value_or(0);
}

double probe_evidence::least_step_of_others() const noexcept {
  double out = 1;
  if (outcome == verdict::failed) return out;
  for (const part_evidence& each : parts)
    out = std::max({out, each.warm_up_correlation, each.correlation});
  return out;
}

}  // namespace inferbench::limit
