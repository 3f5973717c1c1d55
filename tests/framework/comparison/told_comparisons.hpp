// Comparisons with every verdict, for the tests of texts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "framework/comparison/paired_input.hpp"

namespace inferbench::comparison {

inline const std::vector<double> around_4_percent{1.035, 1.045, 1.04,  1.042,
                                                  1.038, 1.04,  1.036, 1.044};
inline const std::vector<double> around_1_percent{1.009, 1.011, 1.01,  1.012,
                                                  1.008, 1.01,  1.009, 1.011};
inline const std::vector<double> wide{0.9, 1.15, 1.05, 0.95, 1.1, 0.93, 1.02, 1.04};

/// Adds a metric with these ratios in the blocks; its base is 100 in every run.
inline void add_metric(comparison_input& to, const compared_metric& metric,
                       const std::vector<double>& ratios) {
  const comparison_input more = blocks_with(metric, ratios);
  to.metrics.push_back(metric);
  for (std::size_t i = 0; i < to.base.runs.size(); ++i) {
    to.base.runs[i].values.push_back(more.base.runs[i].values[0]);
    to.candidates.front().group.runs[i].values.push_back(
        more.candidates.front().group.runs[i].values[0]);
  }
}

/// Slower, faster, the same, and one that cannot be told.
inline comparison_input all_verdicts() {
  comparison_input out = blocks_with(latency, around_4_percent);
  add_metric(out, throughput, around_4_percent);
  add_metric(out, {"tpot.mean", "mean TPOT", "ms", false}, around_1_percent);
  add_metric(out, {"itl.p99", "P99 ITL", "ms", false}, wide);
  return out;
}

inline comparison_input two_candidates() {
  comparison_input out = blocks_with(latency, around_4_percent);
  out.candidates.push_back(blocks_with(latency, around_1_percent).candidates.front());
  out.candidates.back().group.name = "newer";
  return out;
}

}  // namespace inferbench::comparison
