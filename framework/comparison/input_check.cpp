#include "comparison/input_check.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::comparison {
namespace {

void check_group(const compared_group& group, std::size_t metrics) {
  if (group.runs.empty()) throw base::error("the group " + group.name + " has no run");
  for (const compared_run& run : group.runs)
    if (run.values.size() != metrics)
      throw base::error("the run " + run.name + " has " + std::to_string(run.values.size()) +
                        " values, but " + std::to_string(metrics) + " metrics are declared");
}

/// Marks two runs of a group as used by a block.
void use_runs(const std::array<std::size_t, 2>& of_block, const compared_group& group,
              std::vector<bool>& used) {
  for (const std::size_t run : of_block) {
    if (run >= used.size())
      throw base::error("a block has run " + std::to_string(run + 1) + " of the group " +
                        group.name + ", which has " + std::to_string(used.size()) + " runs");
    if (used[run])
      throw base::error("the run " + group.runs[run].name +
                        " is twice in the blocks of a comparison");
    used[run] = true;
  }
}

void check_blocks(const compared_group& base, const compared_candidate& candidate) {
  std::vector<bool> of_base(base.runs.size()), of_other(candidate.group.runs.size());
  for (const compared_block& block : candidate.blocks) {
    use_runs(block.base, base, of_base);
    use_runs(block.other, candidate.group, of_other);
  }
}

void check_settings(const comparison_settings& settings) {
  if (!(settings.same_within > 0 && settings.same_within <= 1))
    throw base::error("the margin of \"same\" is " + base::shortest(settings.same_within * 100) +
                          " %, which is not above 0 and at most 100 %",
                      "use for example 2 %");
  for (const double rate : {settings.error_rate, settings.same_error_rate})
    if (!(rate > 0 && rate < 0.5))
      throw base::error("the error rate " + base::shortest(rate) + " is not above 0 and below 0.5",
                        "use for example 0.05");
}

}  // namespace

void check_input(const comparison_input& input) {
  if (input.metrics.empty()) throw base::error("no metric is declared, so nothing can be compared");
  if (input.candidates.empty())
    throw base::error("only the group " + input.base.name + " is there",
                      "a comparison needs at least two groups of runs");
  check_settings(input.settings);
  check_group(input.base, input.metrics.size());
  for (const compared_candidate& candidate : input.candidates) {
    check_group(candidate.group, input.metrics.size());
    check_blocks(input.base, candidate);
  }
}

}  // namespace inferbench::comparison
