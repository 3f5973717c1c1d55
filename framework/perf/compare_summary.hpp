// The valid concurrencies of each file: the largest with which the latencies stay within their
// limits. Descriptive: the values of the tables have no error bars. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perf/compare_frame.hpp"
#include "perf/compare_options.hpp"

namespace inferbench::perf {

struct valid_concurrency {
  std::string configuration;  // the label of the file
  // Upstream's rule: the largest level whose value passes, also if a smaller level fails.
  std::optional<double> ttft, tpot;
  std::optional<double> both;  // the smaller of the two; missing if either is
  // The values of the first row whose concurrency is exactly `both`.
  std::optional<double> throughput_at, ttft_at, tpot_at;
  // A stricter rule: the largest level that passed both limits in all rows, as did each smaller
  // level. A level without any value of the file is no level; a single missing value does not pass.
  std::optional<double> unbroken;
};

struct concurrency_summary {
  std::vector<std::string> titles;  // of the seven columns, "Configuration" first
  std::vector<valid_concurrency> rows;
  std::vector<std::string> notes;  // where the stricter rule gives another level
};

/// The summary of one group. `parts` has the throughput, TTFT and TPOT rows of the group; a frame
/// without rows does not count. Missing if neither latency frame has a row.
[[nodiscard]] std::optional<concurrency_summary> summary_of(std::span<const compared_frame> parts,
                                                            const std::string& x_axis,
                                                            const compared_limits& limits);

/// The cells of a row that are numbers, in the order of the titles after "Configuration".
[[nodiscard]] std::vector<std::optional<double>> cells_of(const valid_concurrency& row);

}  // namespace inferbench::perf
