// The figures and facts of a run as metrics of Prometheus. docs/reporters.md lists the names.
#pragma once

#include <cstdint>
#include <string>

#include <inferbench/views.hpp>

#include "exposition.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {

/// The name of a figure's metric, with the base unit at its end, and the factor of its values:
/// "ttft" in ms becomes "inferbench_ttft_seconds" and 0.001.
struct base_unit {
  std::string name;
  double factor = 1;
};
[[nodiscard]] base_unit in_base_unit(std::string_view figure, std::string_view unit);

/// Adds every figure. A summary gives a metric of type summary with its quantiles, and gauges with
/// its minimum, maximum and standard deviation. A mean without quantiles, as live figures have it,
/// gives a summary without quantiles.
void add_figures(exposition& out, ifb::strided<ifb_metric> figures);

/// Adds the state of the run, requests by state, errors, goals, certified bounds and the verdict.
void add_facts(exposition& out, const json_value& facts);

/// Adds the times of the run. `finished_unix_ns` 0: the run is not over.
void add_times(exposition& out, std::int64_t started_unix_ns, std::int64_t finished_unix_ns,
               bool interrupted);

}  // namespace reporters
