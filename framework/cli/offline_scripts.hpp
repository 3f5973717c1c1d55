// The commands prefix-caching and long-document-qa: upstream's stand-alone scripts.
#pragma once

#include "batch/offline_session.hpp"
#include "offline/long_document.hpp"
#include "offline/prefix_caching.hpp"

namespace inferbench::cli {

/// Reads the prompts, loads the engine, measures and reports. Returns the exit status. Throws
/// base::error.
[[nodiscard]] int measure_prefix_caching(const offline::prefix_caching_options& options,
                                         batch::offline_session& with);
[[nodiscard]] int measure_long_document(const offline::long_document_options& options,
                                        batch::offline_session& with);

}  // namespace inferbench::cli
