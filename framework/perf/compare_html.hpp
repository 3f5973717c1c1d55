// The pages of a comparison. They need no other file, and every text of the user is escaped. Pure
// function.
#pragma once

#include <span>
#include <string>

#include "perf/compare_report.hpp"

namespace inferbench::perf {

/// A page with these groups of the comparison. Numbers have two decimals, missing cells are empty.
/// In the tables of TTFT and TPOT, values of the metric are green up to the limit, and larger
/// values are orange up to the limit with slack (compared_limits). As in upstream, numbers in the
/// column qps are compared with the same limits, unless qps is the x axis. Ratios are yellow.
[[nodiscard]] std::string comparison_page(const comparison_report& all,
                                          std::span<const compared_group> groups);

}  // namespace inferbench::perf
