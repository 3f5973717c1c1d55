// The numbers of a figure, each with a name of its own. Pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/views.hpp>

#include "figures.hpp"

namespace reporters {

/// Returns the name of a statistic of a figure, which is a column of a table: "ttft_p99". The
/// statistic "value" of a figure that is one number has the name of the figure.
[[nodiscard]] inline std::string statistic_name(std::string_view figure,
                                                std::string_view statistic) {
  std::string out(figure);
  if (statistic != "value") out.append("_").append(statistic);
  return out;
}

/// Calls visit(statistic, value) for each statistic of the figure: "value", or "mean", "std",
/// "min", "median", "max", the percentiles ("p99", "p99.9") once each, and "count".
template <typename visitor>
void for_each_statistic(const ifb_metric& m, visitor&& visit) {
  if (!has(m, IFB_METRIC_SUMMARY)) return visit(std::string_view("value"), m.value);
  visit(std::string_view("mean"), m.value);
  visit(std::string_view("std"), m.deviation);
  visit(std::string_view("min"), m.minimum);
  visit(std::string_view("median"), m.median);
  visit(std::string_view("max"), m.maximum);
  std::vector<std::string> visited;  // the user may have requested a percentile twice
  for (const ifb_quantile& each : ifb::quantiles_of(m)) {
    const std::string name = "p" + percentile_name(each.q);
    if (std::ranges::find(visited, name) != visited.end()) continue;
    visit(std::string_view(name), each.value);
    visited.push_back(name);
  }
  visit(std::string_view("count"), static_cast<double>(m.count));
}

}  // namespace reporters
