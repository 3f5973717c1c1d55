// `inferbench prefix-caching` and `long-document-qa`: the time of one call of the engine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "batch/batch_executor.hpp"
#include "batch/bench_console.hpp"
#include "dataset/sample.hpp"
#include "offline/long_document.hpp"
#include "offline/prefix_caching.hpp"

namespace inferbench::batch {

/// The lengths of prompts in tokens.
[[nodiscard]] std::vector<std::int64_t> lengths_of(std::span<const dataset::sample_ptr> prompts);

/// The time of the section in seconds.
[[nodiscard]] inline double seconds_of(const batch_outcome& of) {
  return static_cast<double>(of.elapsed_ns) / 1e9;
}

/// Measures with an engine that is loaded, and prints the lines in front of the result. `prompts`:
/// the different prompts. Throws base::error if a request fails.
[[nodiscard]] batch_outcome measure_prefix_caching(const offline::prefix_caching_options& options,
                                                   std::span<const dataset::sample_ptr> prompts,
                                                   batch_executor& engine,
                                                   const bench_console& console);

struct long_document_outcome {
  double warmup_s = 0;
  batch_outcome batch;
};

/// The same; also prints the time of the warm-up. `documents`: all requests in their order.
[[nodiscard]] long_document_outcome measure_long_document(
    const offline::long_document_options& options, std::span<const dataset::sample_ptr> warmups,
    std::span<const dataset::sample_ptr> documents, batch_executor& engine,
    const bench_console& console);

}  // namespace inferbench::batch
