// The samples that a plan's dataset yields, without sending anything: what
// `inferbench dataset show` prints.
#pragma once

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"

namespace inferbench::cli {

/// One JSON object a line to `out`, as they come, until nobody takes them any more: request_id,
/// prompt, prompt_len, expected_output_len, multi_modal_data, and chat_messages,
/// request_overrides, timestamp and session where there are any. Throws base::error.
void show_samples(config::plan plan, base::log& log, base::output& out);

}  // namespace inferbench::cli
