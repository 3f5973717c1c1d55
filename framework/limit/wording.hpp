// The conclusion of a search in words: the limit, the numbers that it rests on, its chance of
// error, and what the search could have missed. Pure.
#pragma once

#include <string>
#include <vector>

#include "limit/evidence.hpp"
#include "limit/search.hpp"

namespace inferbench::limit {

struct probe_record {
  double load = 0;
  probe_evidence evidence;
};

struct search_record {
  std::string load_name;  // "request rate", "number of concurrent requests"
  std::string load_unit;  // " requests/s" with its blank, or empty
  search_settings settings;
  search_result result;
  std::vector<probe_record> probes;  // in the order of the probes
};

/// The lines of the console after a search, without line ends.
[[nodiscard]] std::vector<std::string> conclusion_lines(const search_record& search);

/// A line for each probe while the search goes on: "12.5 requests/s: passed; ttft.p99<200ms: 0.41 %
/// of 1,234 independent requests were over, 1 % allowed".
[[nodiscard]] std::string probe_line(const search_record& search, const probe_record& probe);

/// The numbers that the verdict of a part rests on, as a clause: "0.41 % of 1,234 independent
/// requests were over, 1 % allowed; up to 0.55 % would have passed, from 1.7 % on would have
/// failed".
[[nodiscard]] std::string part_text(const part_evidence& part);

}  // namespace inferbench::limit
