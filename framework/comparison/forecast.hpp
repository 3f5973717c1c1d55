// The difference that a comparison in blocks can find, computed before its runs. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comparison/input.hpp"

namespace inferbench::comparison {

struct forecast_row {
  double deviation = 0;  // of blocks: the standard deviation of the logarithms D
  double found_80 = 0;   // the true difference, as a share, that is found with a chance of 80 %
  double found_90 = 0;
};

/// The deviations of a forecast while the deviation of the blocks is not known.
inline constexpr std::array<double, 4> usual_deviations{0.01, 0.015, 0.02, 0.03};
/// The number of blocks from which a forecast can use the deviation of these blocks.
inline constexpr std::size_t least_for_deviation = 3;

/// A row for each deviation, with `blocks` blocks (at least 2) and `tests` tests (metrics times
/// candidates, at least 1) in Holm's correction.
[[nodiscard]] std::vector<forecast_row> forecast(std::size_t blocks, std::size_t tests,
                                                 std::span<const double> deviations,
                                                 const comparison_settings& settings = {});

/// The lines for the console before the runs, without line ends: the table of the usual deviations.
/// With fewer than two blocks: a sentence that nothing can be told.
[[nodiscard]] std::vector<std::string> forecast_lines(std::size_t blocks, std::size_t tests,
                                                      const comparison_settings& settings = {});

/// The line for the console during the runs, after at least least_for_deviation blocks: what the
/// planned number of blocks can find with the deviation so far of the metric `title`.
[[nodiscard]] std::string forecast_line(std::string_view title, double deviation,
                                        std::size_t blocks_so_far, std::size_t blocks,
                                        std::size_t tests,
                                        const comparison_settings& settings = {});

}  // namespace inferbench::comparison
