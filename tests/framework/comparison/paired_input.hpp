// Small inputs of a comparison for the tests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "comparison/input.hpp"

namespace inferbench::comparison {

inline compared_group group_of(const std::string& name,
                               const std::vector<std::vector<double>>& runs) {
  compared_group out{name, {}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    out.runs.push_back({name + "/run" + std::to_string(i + 1) + ".json", runs[i]});
  return out;
}

/// Blocks of runs that lie in the order of time in each group.
inline std::vector<compared_block> blocks_in_order(std::size_t count) {
  std::vector<compared_block> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({{2 * i, 2 * i + 1}, {2 * i, 2 * i + 1}});
  return out;
}

inline const compared_metric latency{"ttft.p99", "P99 TTFT", "ms", false};
inline const compared_metric throughput{"output_throughput", "output throughput", "tok/s", true};

/// A metric whose base is 100 in every run. Both runs of the candidate in block i have the value
/// 100 * ratios[i].
inline comparison_input blocks_with(const compared_metric& metric,
                                    const std::vector<double>& ratios) {
  std::vector<std::vector<double>> base, other;
  for (const double ratio : ratios)
    for (int i = 0; i < 2; ++i) {
      base.push_back({100});
      other.push_back({100 * ratio});
    }
  comparison_input out;
  out.metrics = {metric};
  out.base = group_of("base", base);
  out.candidates.push_back({group_of("new", other), blocks_in_order(ratios.size())});
  return out;
}

}  // namespace inferbench::comparison
