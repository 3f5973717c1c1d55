// The steps of a tuning, in the order of the script auto_tune: the share of the memory, then a
// measurement for each combination, then a profile of the best combination. Pure except for the
// calls of the bench.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tune/result_text.hpp"
#include "tune/tune_request.hpp"
#include "tune/tuning_bench.hpp"

namespace inferbench::tune {

struct tuning_setting {
  std::vector<std::int64_t> seqs;    // outer loop; not empty
  std::vector<std::int64_t> tokens;  // inner loop; not empty
  double limit_ms = 0;
  bool memory = true;  // look for the share of the memory
  rate_search search = rate_search::step;
  bool profile = true;
  std::string profile_folder;  // of the best combination; recorded in result.txt
};

struct tuning_outcome {
  bool memory_found = true;  // false: no server started, so nothing was measured
  std::optional<accepted_pair> best;
  int measured = 0;  // combinations with a verdict
  int failed = 0;    // combinations without a verdict
  bool profile_failed = false;
};

/// 1. Shares of the memory from 0.98 down to 0.90 in steps of 0.01, with the last values of both
///    lists. The first share with which the server starts is used for everything.
/// 2. For each combination a new server and 1000 requests at once. If their P99 latency is not
///    within the limit, rates from int(throughput) + 1 down to 1 follow, each with an emptied
///    cache, a pause of 5 s and 100 requests; the first rate within the limit is accepted. With
///    rate_search::find the rates follow from one search between 1 (a tenth of the highest rate if
///    that is 1) and int(throughput) + 1.
/// 3. A profile of the accepted combination with the highest throughput, with 100 requests.
///
/// A combination whose server or benchmark fails is recorded and left. The last line of result.txt
/// names the best combination. Passes on what the bench throws.
[[nodiscard]] tuning_outcome carry_out(const tuning_setting& setting, tuning_bench& bench);

}  // namespace inferbench::tune
