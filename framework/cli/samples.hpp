// Prints the samples of a plan's dataset without sending a request: for `inferbench dataset show`.
#pragma once

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"

namespace inferbench::cli {

/// Writes one JSON object per line to `out`, until the reader closes it: request_id, prompt,
/// prompt_len, expected_output_len, multi_modal_data, and chat_messages, request_overrides,
/// timestamp and session if there are any. Throws base::error, also for JSON of the dataset that is
/// no JSON, or no object although it must be one.
void show_samples(const config::plan& plan, base::log& log, base::output& out);

}  // namespace inferbench::cli
