// The pages of a comparison. They need no other file, and every text of the user is escaped. Pure
// function.
#pragma once

#include <span>
#include <string>

#include "perf/compare_report.hpp"

namespace inferbench::perf {

/// A page with these groups of the comparison. Numbers have two decimals, missing cells are empty.
/// Cells of TTFT and TPOT tables within the limit are green, and those within the slack orange; the
/// cells of the column qps, too, as in upstream. Ratios are yellow.
[[nodiscard]] std::string comparison_page(const comparison_report& all,
                                          std::span<const compared_group> groups);

}  // namespace inferbench::perf
