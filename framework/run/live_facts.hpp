// The facts of a run that is in progress (ifb_snapshot.facts_json).
#pragma once

#include <span>
#include <string>

#include "metrics/ledger.hpp"
#include "observe/series_log.hpp"
#include "run/live_board.hpp"

namespace inferbench::run {

/// A JSON object: "progress" and "client" from `now`, "accounting", "http_status" and "errors" as
/// at the end of a run, "series" with the latest value of each series of the servers, and "log"
/// with the newest lines that were not written to standard error yet.
[[nodiscard]] std::string live_facts(const live_state& now, const metrics::ledger& accounts,
                                     std::span<const observe::current_value> series,
                                     std::span<const std::string> log);

}  // namespace inferbench::run
