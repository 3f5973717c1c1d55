// The members of a result file, in the order of `vllm bench serve`, and its name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "../common/figures.hpp"
#include "../common/resolved.hpp"
#include "document.hpp"
#include "rows.hpp"

namespace reporters {

/// "20260918-101502": the local time of that moment.
[[nodiscard]] std::string date_text(std::int64_t unix_ns);

/// "{label or backend}-{rate}qps{-concurrencyN}-{model}-{date}.json". A slash in the
/// label becomes a dash: the name must not lead into another folder.
[[nodiscard]] std::string generated_name(const resolved& run, std::string_view date);

using fields = std::vector<std::pair<std::string, std::string>>;

/// From `date` to the last member that is upstream's. Arrays refer to `rows`, which
/// are sorted; without rows there are none, and `detailed` is false.
void add_upstream(document& out, const resolved& run, const fields& metadata, std::string_view date,
                  const figures& found, const rows_in_order* rows, bool detailed);

/// Where a result comes from.
struct origin {
  std::string host_version;
  std::string run;
  std::uint64_t started_ns = 0;  // host clock; start_times count from here
  std::int64_t started_unix_ns = 0;
  std::string environment_json;
};

/// Our member `inferbench`: the origin, facts, figures that upstream does not have.
void add_ours(document& out, const origin& from, const ifb_summary& summary, const figures& found);

}  // namespace reporters
