// The points of a table in Markdown: one row each, with the main figures as means over the runs.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/table_reporter.hpp>

namespace reporters {

/// Whether the points say more than their runs: they have names or repeat runs.
[[nodiscard]] bool points_matter(const ifb_table_end& end);

/// Returns the table of the points: axes, number of runs, throughput, and median and P99 of the
/// latencies, each as the mean over the runs and half the width of its interval. A latency without
/// P99 has its largest percentile.
[[nodiscard]] std::string markdown_points(const ifb_table_end& end);

/// Returns a table with each figure of each point, a row each. Empty if there is none.
[[nodiscard]] std::string markdown_point_figures(const ifb_table_end& end);

/// Returns the value of an axis, which is JSON, as a text without marks.
[[nodiscard]] std::string axis_text(std::string_view json);

/// Returns Markdown behind a line that unfolds it; empty if there is nothing to unfold.
[[nodiscard]] std::string folded(std::string_view summary, const std::string& content);

}  // namespace reporters
