// `inferbench latency`: the same batch again and again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/batch_executor.hpp"
#include "batch/bench_console.hpp"
#include "offline/latency_report.hpp"
#include "offline/other_options.hpp"

namespace inferbench::batch {

struct latency_outcome {
  std::optional<offline::latency_result> result;  // nullopt: a profiled run, which has no result
  batch_outcome all;  // the answers of all timed iterations; from the first begin to the last end
};

/// Measures with an engine that is loaded. Throws base::error if prompt and output do not fit into
/// the engine, or if a request fails: the time of a batch that is not complete means nothing.
[[nodiscard]] latency_outcome measure_latency(const offline::latency_options& options,
                                              std::span<const ifb_batch_item> batch,
                                              batch_executor& engine, const engine_facts& facts,
                                              const bench_console& console);

}  // namespace inferbench::batch
