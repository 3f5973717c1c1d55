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

/// "KEY=VALUE" as a pair, both trimmed. Throws ifb::failure on one without "=".
[[nodiscard]] fields metadata_of(const std::vector<std::string>& items);

/// The data of a result.
struct contents {
  const ifb::run_description& run;
  const fields& metadata;
  std::string date;  // date_text() of the run's end
  const figures& found;
  const json_value& facts;              // the summary's
  const rows_in_order* rows = nullptr;  // sorted; null: no array
  bool detailed = false;                // with all arrays; needs rows
};

/// The members from `date` to the last one of upstream's, with `steady_state`. Arrays refer to the
/// rows.
void add_upstream(document& out, const contents& of);

/// The origin of a result.
struct origin {
  std::string host_version;
  std::string run;
  std::uint64_t started_ns = 0;  // host clock; start_times count from here
  std::int64_t started_unix_ns = 0;
  std::string environment_json;
  std::string config_json;  // ifb_run's
};

/// Our member `inferbench`: the origin, facts that are no member of the result itself, figures that
/// upstream does not have, the plan and the environment.
void add_ours(document& out, const origin& from, const ifb_summary& summary, const figures& found,
              const json_value& facts);

}  // namespace reporters
