// Prints the requests that a backend would send for the samples of a plan's dataset, without
// sending them: for `inferbench dataset show --backend NAME`.
#pragma once

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"

namespace inferbench::cli {

/// Writes one JSON object per line to `out`, until the reader closes it: request_id, method,
/// target, and the body as `body` if it is JSON, as the text `body_text` if it is UTF-8, otherwise
/// as `body_base64`. A request that the backend refuses has the member `error`. Only the first
/// request of a sample is shown. The samples are those of the dataset: a run may add a salt, an
/// adapter or a turn's earlier answers. Throws base::error, also for a backend that sends no HTTP
/// requests and if the backend needs a model and the plan has none.
void show_requests(const config::plan& plan, base::log& log, base::output& out);

}  // namespace inferbench::cli
