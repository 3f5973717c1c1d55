// Which summaries a run has, which percentiles of each, and what the console prints of them.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/context.hpp"
#include "metrics/table.hpp"

namespace inferbench::metrics {

/// What the reporter `console` prints of a summary.
enum class printed : std::uint8_t {
  nothing,
  median_and_p99,  // a line in our part
  all              // a section of upstream's: mean, median and each percentile
};

struct summary {
  metric id;
  bool selected;                    // IFB_METRIC_SELECTED
  std::vector<double> percentiles;  // 0..100
  printed shown;                    // where it has values
};

/// In the order of the table.
[[nodiscard]] std::vector<summary> summaries_of(const context& run);

}  // namespace inferbench::metrics
