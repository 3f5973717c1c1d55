// The figures of a tuning from the files that `inferbench serve` and `inferbench find` write. Pure
// functions.
#pragma once

#include <optional>
#include <string>

#include <inferbench/json_reader.hpp>

#include "tune/tuning_bench.hpp"

namespace inferbench::tune {

/// From request_throughput, p99_e2el_ms, request_goodput, failed and completed. A problem if a
/// figure is missing, is no number, or is not finite.
[[nodiscard]] benchmark_end benchmark_end_of(const ifb::json_value& result);

/// The limit of a search and the journal of the run that rests on it.
struct found_limit {
  double rate = 0;
  std::string journal;
};

struct search_verdict {
  std::optional<found_limit> limit;  // nullopt: there is none
  std::string problem;               // not empty: the search has no verdict
};

/// From find.json (docs/find.md). A search without a limit has the verdict "no rate" only if its
/// lowest rate has failed.
[[nodiscard]] search_verdict search_verdict_of(const ifb::json_value& result);

}  // namespace inferbench::tune
