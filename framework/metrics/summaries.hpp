// The summaries of a run: their percentiles, and the part of each that the console prints.
#pragma once

#include <optional>
#include <vector>

#include "metrics/context.hpp"
#include "metrics/table.hpp"

namespace inferbench::metrics {

struct summary {
  const definition* row;
  bool selected;                    // IFB_METRIC_SELECTED
  std::vector<double> percentiles;  // 0..100
  printed shown;                    // the part that is printed, if there are values
};

/// The summary that `row` describes. nullopt if the run does not have it, or if the row is not a
/// summary.
[[nodiscard]] std::optional<summary> summary_of(const definition& row, const context& run);

/// All summaries of the run, in the order of the rows. The rows must outlive the summaries.
[[nodiscard]] std::vector<summary> summaries_of(const context& run, definitions from);

}  // namespace inferbench::metrics
