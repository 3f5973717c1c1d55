#include "comparison/log_values.hpp"

#include <cmath>

#include "base/text.hpp"

namespace inferbench::comparison {
namespace {

/// Appends the logarithm, or says why there is none. Returns whether there is one.
bool append_log(const compared_run& run, std::size_t metric, std::vector<double>& to,
                std::string& problem) {
  const double value = run.values[metric];
  if (std::isfinite(value) && value > 0) {
    to.push_back(std::log(value));
    return true;
  }
  problem = std::isnan(value) ? run.name + " has no value"
                              : run.name + " has the value " + base::shortest(value) +
                                    ", and only finite values above 0 have a ratio";
  return false;
}

bool append_all(const compared_group& group, std::size_t metric, std::vector<double>& to,
                std::string& problem) {
  for (const compared_run& run : group.runs)
    if (!append_log(run, metric, to, problem)) return false;
  return true;
}

bool append_block(const compared_group& base, const compared_candidate& candidate,
                  const compared_block& block, std::size_t metric, log_values& to) {
  for (const std::size_t run : block.base)
    if (!append_log(base.runs[run], metric, to.base, to.problem)) return false;
  for (const std::size_t run : block.other)
    if (!append_log(candidate.group.runs[run], metric, to.other, to.problem)) return false;
  const std::size_t n = to.base.size();
  to.blocks.push_back((to.other[n - 2] + to.other[n - 1] - to.base[n - 2] - to.base[n - 1]) / 2);
  return true;
}

bool append_used(const compared_group& base, const compared_candidate& candidate,
                 std::size_t metric, log_values& to) {
  if (candidate.blocks.empty())
    return append_all(base, metric, to.base, to.problem) &&
           append_all(candidate.group, metric, to.other, to.problem);
  for (const compared_block& block : candidate.blocks)
    if (!append_block(base, candidate, block, metric, to)) return false;
  return true;
}

}  // namespace

log_values log_values_of(const compared_group& base, const compared_candidate& candidate,
                         std::size_t metric) {
  log_values out;
  if (append_used(base, candidate, metric, out)) return out;
  return {.problem = out.problem, .base = {}, .other = {}, .blocks = {}};
}

}  // namespace inferbench::comparison
