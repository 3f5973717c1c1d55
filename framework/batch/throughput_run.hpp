// `inferbench throughput`: all prompts in one call of the engine.
#pragma once

#include <span>
#include <vector>

#include "batch/batch_executor.hpp"
#include "batch/bench_console.hpp"
#include "dataset/sample.hpp"
#include "offline/request_shares.hpp"
#include "offline/throughput_options.hpp"
#include "offline/throughput_report.hpp"

namespace inferbench::batch {

struct throughput_outcome {
  offline::throughput_result result;  // of the completed requests
  std::size_t failed = 0;
  batch_outcome batch;
};

/// Measures with an engine that is loaded. `prompts`: the samples of the measurement, of which
/// `share` belongs to this process; `warmups`: the samples before it. Throws base::error if a
/// prompt does not fit into the engine, or if every request fails.
[[nodiscard]] throughput_outcome measure_throughput(
    const offline::throughput_options& options, std::span<const dataset::sample_ptr> prompts,
    std::span<const dataset::sample_ptr> warmups, const offline::request_share& share,
    batch_executor& engine, const engine_facts& facts, const bench_console& console);

}  // namespace inferbench::batch
