// `inferbench mm-processor`: the stages of multimodal preprocessing, as the engine measures them.
#pragma once

#include <span>

#include "batch/batch_executor.hpp"
#include "batch/bench_console.hpp"
#include "dataset/sample.hpp"
#include "offline/mm_result.hpp"

namespace inferbench::batch {

struct mm_outcome {
  offline::mm_result result;
  batch_outcome batch;
};

/// Measures with an engine that is loaded. Throws base::error if a prompt does not fit into the
/// engine. Warns of requests that failed.
[[nodiscard]] mm_outcome measure_mm(std::span<const dataset::sample_ptr> prompts,
                                    std::span<const dataset::sample_ptr> warmups,
                                    batch_executor& engine, const engine_facts& facts,
                                    const bench_console& console);

}  // namespace inferbench::batch
