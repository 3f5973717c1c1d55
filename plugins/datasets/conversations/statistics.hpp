// Describes the distribution of some numbers in a line of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace conversations {

/// Returns "turns: count 24, mean 14.83, std 1.90, min 12.00, 25% 13.00, 50% 15.00, 75% 16.00, 90%
/// 18.00, max 18.00", with higher percentiles if there are enough numbers for them. "std" is the
/// sample standard deviation; percentiles are interpolated. `numbers` must not be empty.
[[nodiscard]] std::string statistics_line(std::string_view what, std::vector<double> numbers);

}  // namespace conversations
