// The report of `inferbench mm-processor`. Pure functions.
#pragma once

#include <chrono>
#include <string>

#include "offline/mm_result.hpp"
#include "offline/other_options.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// The line before the measurement.
inline constexpr const char* mm_first_line = "Starting multimodal processor benchmark...\n";

/// The banner and the tables: stages, a line about the encoder, and end-to-end latencies. Numbers
/// have two decimals.
[[nodiscard]] std::string mm_text(const mm_statistics& found);

/// The members of --output-json, which is written with an indentation of 2. `timestamp`: the end of
/// the run (local_timestamp()).
[[nodiscard]] options::node mm_json(const mm_statistics& found, const mm_processor_options& options,
                                    const std::string& timestamp);

/// The local time as Python's datetime.now().isoformat(): "2026-11-25T14:07:20.123456".
[[nodiscard]] std::string local_timestamp(std::chrono::system_clock::time_point at);

}  // namespace inferbench::offline
