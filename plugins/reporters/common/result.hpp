// The members of a result file, in the order of `vllm bench serve`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/run_description_json.hpp>

#include "document.hpp"
#include "figures.hpp"
#include "json_value.hpp"
#include "rows.hpp"

namespace reporters {

using fields = std::vector<std::pair<std::string, std::string>>;

/// Splits "KEY=VALUE" into a pair; both are trimmed. Throws ifb::failure for an item without "=".
[[nodiscard]] fields metadata_of(const std::vector<std::string>& items);

/// The data for a result file.
struct contents {
  const ifb::run_description& run;
  const fields& metadata;
  std::string date;  // date_text() of the time when the run ended
  const figures& found;
  const json_value& facts;              // the facts of the summary
  const rows_in_order* rows = nullptr;  // sorted; null: the result has no arrays
  bool detailed = false;                // the result has all arrays, which requires rows
};

/// Adds all of upstream's members, beginning with `date`, and `steady_state`. In the multi-turn
/// mode of vLLM's Rust client also the members of that client (turn_members.hpp). The arrays refer
/// to the rows, which must live until the document is written.
void add_upstream(document& out, const contents& of);

/// The program and the run that made the result.
struct origin {
  std::string host_version;
  std::string run;
  std::uint64_t started_ns = 0;  // time of the host clock; start_times are relative to it
  std::int64_t started_unix_ns = 0;
  std::string environment_json;
  std::string config_json;  // ifb_run.config_json
};

/// Adds the member `inferbench`: the origin, the facts that are not members of the result itself,
/// the figures that upstream does not have, the plan and the environment.
void add_ours(document& out, const origin& from, const ifb_summary& summary, const figures& found,
              const json_value& facts);

}  // namespace reporters
