// The files of --save-data: the values of a figure as JSON, as docs/plots.md describes them.
#pragma once

#include <string>

#include "plot/figure_data.hpp"
#include "plot/pareto.hpp"

namespace inferbench::plot {

/// Ends with a line break.
[[nodiscard]] std::string saved_data(const figure_data& figure);
[[nodiscard]] std::string saved_data(const pareto_data& data);

}  // namespace inferbench::plot
