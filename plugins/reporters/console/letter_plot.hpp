// A plot of one series over time in ASCII letters, for a terminal without graphics. Pure function.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reporters {

/// Returns 14 lines of at most 72 characters, without blanks at their ends: the title with the
/// largest value, eleven lines with bars, of which the first, the middle and the last have the
/// value of the vertical axis, and the horizontal axis with times in seconds. Each value stands for
/// `step_s` > 0 seconds, the first for those after 0. If there are more values than columns, a
/// column shows the largest of its values. A value above 0 has at least one mark. Values that are
/// not finite, or negative, count as 0. Empty without values.
[[nodiscard]] std::string letter_plot(std::string_view title, std::span<const double> values,
                                      double step_s);

}  // namespace reporters
